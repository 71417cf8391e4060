//! Slots, names, axes and multisets.

use super::support::program;

fn slots(source: &str) -> Vec<String> {
    program(source).layout.slots.iter().map(|slot| slot.name.clone()).collect()
}

#[test]
fn names_are_as_a_person_would_write_them() {
    let names = slots(
        "type NODE : scalarset(2); CMD : enum { Idle, Busy };
         var Cache : array [NODE] of record State : CMD; Data : 0..3; end;
             Q : array [2..3] of boolean;
             ByName : array [CMD] of 0..1;
             Flag : array [boolean] of 0..1;
             Home : NODE;
         startstate begin undefine Home; end;",
    );
    let expected = [
        "Cache[NODE_1].State",
        "Cache[NODE_1].Data",
        "Cache[NODE_2].State",
        "Cache[NODE_2].Data",
        "Q[2]",
        "Q[3]",
        "ByName[Idle]",
        "ByName[Busy]",
        "Flag[false]",
        "Flag[true]",
        "Home",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_multiset_has_a_presence_slot_before_each_element() {
    let source = "var Net : multiset [2] of record Kind : 0..1; Dst : 0..2; end;
                      Bag : multiset [1] of 0..4;
                  startstate begin end;";
    let names = slots(source);
    let expected = [
        "Net{1}",
        "Net{1}.Kind",
        "Net{1}.Dst",
        "Net{2}",
        "Net{2}.Kind",
        "Net{2}.Dst",
        "Bag{1}",
        "Bag{1}.value",
    ];
    assert_eq!(names, expected);
    let layout = program(source).layout;
    let regions: Vec<_> = layout.multisets.iter().map(|set| (set.base, set.stride, set.count)).collect();
    assert_eq!(regions, [(0, 3, 2), (6, 2, 1)]);
}

#[test]
fn axes_name_scalarset_dimensions_outermost_first() {
    let layout = program(
        "type P : scalarset(2); D : scalarset(2);
         var A : array [P] of array [0..1] of record x : array [D] of boolean; y : boolean; end;
         startstate begin undefine A; end;",
    )
    .layout;
    let slot = layout.slots.iter().find(|slot| slot.name == "A[P_2][1].x[D_2]").unwrap();
    let axes: Vec<_> = slot.axes.iter().map(|axis| (axis.scalarset.0, axis.index, axis.stride)).collect();
    assert_eq!(axes, [(0, 1, 6), (1, 1, 1)]);
    let slot = layout.slots.iter().find(|slot| slot.name == "A[P_2][1].y").unwrap();
    assert_eq!(slot.axes.len(), 1);
}

#[test]
fn only_the_scalarset_part_of_a_union_index_is_an_axis() {
    let layout = program(
        "type P : scalarset(2); H : enum { Home, Far }; U : union { H, P };
         var A : array [U] of U;
         startstate begin undefine A; end;",
    )
    .layout;
    let axes: Vec<_> = layout.slots.iter().map(|slot| slot.axes.first().map(|axis| axis.index)).collect();
    assert_eq!(axes, [None, None, Some(0), Some(1)]);
    let names: Vec<_> = layout.slots.iter().map(|slot| slot.name.as_str()).collect();
    assert_eq!(names, ["A[Home]", "A[Far]", "A[P_1]", "A[P_2]"]);
    let domain = layout.slots[0].domain;
    let values: Vec<_> = (0..4).map(|value| layout.show(domain, value)).collect();
    assert_eq!(values, ["Home", "Far", "P_1", "P_2"]);
}
