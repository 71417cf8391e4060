//! Cheapest hitting sets: given sets of items, a choice of items that has one of each set and costs least.
//!
//! An item is a literal, a set the literals that are false in some explored state: a choice that hits all of them has a
//! false literal in every state. The search is exact unless that takes too long.

/// Sets of items are bit masks of this many bits.
pub const MAX_ITEMS: usize = 128;

/// Search nodes after the first hitting set is found, and before: an optimal one is worth little more than a good
/// one.
const MAX_NODES_AFTER_FIRST: usize = 2_000;
const MAX_NODES: usize = 50_000;

/// The costs of items.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    pub items: Vec<u32>,
    /// The groups that each item belongs to, as a bit mask.
    pub groups: Vec<u32>,
    /// What the first item of a group costs in addition.
    pub group: u32,
    /// The items that each group includes at no cost.
    pub gifts: Vec<u128>,
}

impl Prices {
    /// The items together with what comes with them.
    pub fn with_gifts(&self, chosen: u128) -> u128 {
        let groups = members(chosen).fold(0, |groups, item| groups | self.groups[item]);
        chosen | self.gifts_of(groups)
    }

    fn gifts_of(&self, groups: u32) -> u128 {
        let gifts = self.gifts.iter().enumerate().filter(|(group, _)| groups & (1 << group) != 0);
        gifts.fold(0, |all, (_, gift)| all | gift)
    }

    fn of(&self, item: usize, groups: u32) -> u32 {
        self.items[item] + self.group * (self.groups[item] & !groups).count_ones()
    }

    /// What a choice costs.
    pub fn total(&self, chosen: u128) -> u32 {
        let groups = members(chosen).fold(0, |groups, item| groups | self.groups[item]);
        members(chosen).map(|item| self.items[item]).sum::<u32>() + self.group * groups.count_ones()
    }
}

pub fn set(marks: impl IntoIterator<Item = bool>) -> u128 {
    let marked = marks.into_iter().take(MAX_ITEMS).enumerate().filter(|&(_, is_marked)| is_marked);
    marked.fold(0, |set, (item, _)| set | 1 << item)
}

pub fn members(set: u128) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let item = left.trailing_zeros() as usize;
        left &= left.checked_sub(1)?;
        Some(item)
    })
}

/// A choice that hits all sets and costs less than `limit`, the cheapest if the search is not cut off.
pub fn cheapest(sets: &[u128], prices: &Prices, limit: u32) -> Option<u128> {
    let reach = (0..prices.items.len()).map(|item| prices.with_gifts(1 << item)).collect();
    let mut search = Hitting { sets, prices, reach, limit, best: None, nodes: 0 };
    search.extend(0, 0, 0, 0);
    search.best
}

struct Hitting<'a> {
    sets: &'a [u128],
    prices: &'a Prices,
    /// Each item with what comes with it.
    reach: Vec<u128>,
    limit: u32,
    best: Option<u128>,
    nodes: usize,
}

impl Hitting<'_> {
    fn extend(&mut self, chosen: u128, groups: u32, cost: u32, excluded: u128) {
        self.nodes += 1;
        if self.nodes > if self.best.is_some() { MAX_NODES_AFTER_FIRST } else { MAX_NODES } {
            return;
        }
        let having = chosen | self.prices.gifts_of(groups);
        let missed = self.sets.iter().filter(|&&set| set & having == 0);
        let Some(&hardest) = missed.min_by_key(|&set| (set & !excluded).count_ones()) else {
            if cost < self.limit {
                (self.limit, self.best) = (cost, Some(chosen));
            }
            return;
        };
        let is_option = |&item: &usize| excluded & (1 << item) == 0 && self.reach[item] & hardest != 0;
        let options = (0..self.reach.len()).filter(is_option);
        let mut options: Vec<(u32, usize)> =
            options.map(|item| (self.prices.of(item, groups), item)).collect();
        options.sort_unstable();
        let mut excluded = excluded;
        for (price, item) in options {
            if cost + price >= self.limit {
                return;
            }
            self.extend(chosen | 1 << item, groups | self.prices.groups[item], cost + price, excluded);
            excluded |= 1 << item;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::random::Random;

    fn brute(sets: &[u128], prices: &Prices) -> Option<u32> {
        let all = 1u128 << prices.items.len();
        let hits = |chosen: &u128| sets.iter().all(|set| set & prices.with_gifts(*chosen) != 0);
        (0..all).filter(hits).map(|chosen| prices.total(chosen)).min()
    }

    #[test]
    fn the_cheapest_choice_is_found() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let count = 1 + random.below(9);
            let mut below = |limit: usize| random.below(limit);
            let prices = Prices {
                items: (0..count).map(|_| 1 + below(5) as u32).collect(),
                groups: (0..count).map(|_| below(4) as u32).collect(),
                group: below(4) as u32,
                gifts: (0..2).map(|_| below(1 << count) as u128 & below(1 << count) as u128).collect(),
            };
            let sets: Vec<u128> = (0..below(7)).map(|_| below(1 << count) as u128).collect();
            let found = cheapest(&sets, &prices, u32::MAX).map(|chosen| prices.total(chosen));
            assert_eq!(found, brute(&sets, &prices), "{sets:?} {prices:?}");
        }
    }
}
