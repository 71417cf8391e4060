"""What the five papers publish, and how each figure is repeated.

A table has a name, the page in docs/papers that it stands on, and rows. A row says what it is about, what is published, the command
that gives our figure, and how that is read from what the command prints. To add a figure, add a row; to add a table, add it to
TABLES and put its two marker lines into the page.
"""

import dataclasses
import functools
import re
from typing import Callable

MODELS = "models/papers"
# A figure that the paper does not print, or that cannot be divided.
NONE = "-"


@dataclasses.dataclass(frozen=True)
class Row:
    """A figure. Its command begins with `tenet` or `python3`; `times` tells whether the published number is divided by ours."""

    what: str
    published: str
    command: tuple
    read: Callable
    number: float | None = None
    times: bool = False
    more: tuple = ()


@dataclasses.dataclass(frozen=True)
class Table:
    name: str
    page: str
    title: str
    rows: tuple
    # Columns between the first and `published`.
    columns: tuple = ()

    @property
    def header(self):
        return ("what", *self.columns, "published", "ours", "ratio")


# How figures are read from the answer of `tenet --json`.


def field(name):
    """The largest value of a field: properties that were proved together all have the same."""

    def read(answer):
        return max((entry[name] for entry in answer["properties"] if entry.get(name) is not None), default=None)

    return read


predicates, iterations, states = field("predicates"), field("iterations"), field("abstract_states")


def seconds(answer):
    """CPU seconds of the whole command, as the machine may be busy with other things."""
    return answer["cpu"]


def verdict(answer):
    return answer["verdict"]


def proved(answer):
    """In the words of a paper that says what was verified."""
    return {"safe": "proved", "unsafe": "refuted"}.get(answer["verdict"], answer["verdict"])


def proved_yes(answer):
    return "yes" if answer["verdict"] == "safe" else "no"


def rho(number, names):
    """The formula of an iteration, with the predicates called as in the paper."""

    def read(answer):
        formula = answer["reached"]["sets"][number]["formula"]
        return re.sub(r"p(\d+)", lambda found: names[int(found.group(1)) - 1], formula)

    return read


def method(answer):
    """Whether a refinement method succeeds."""
    return {"safe": "succeeds", "unsafe": "finds a run"}.get(answer["verdict"], "does not succeed")


def passes(answer):
    """How often the loop of a refinement method was gone through."""
    return len(answer["iterations"]) if answer["verdict"] == "safe" else None


def hybrid(name):
    def read(answer):
        found = [entry[name] for entry in answer.get("hybrid", [])]
        return max((len(one) if isinstance(one, list) else one for one in found), default=None)

    return read


def times_of(answer):
    return seconds(answer) if answer["verdict"] in ("safe", "unsafe") else None


# Commands.


def abstract(model, *options):
    return ("tenet", "abstract", f"{MODELS}/{model}.tenet", *options, "--json")


def strict(model):
    """With the substitutions that the header of the model names, counted as in the literature."""
    return abstract(model, "--strict", "--instances", "forced", "--predicates", f"{MODELS}/{model}.instances")


def suggested(model):
    """With predicates that the tool proposes and adds."""
    return abstract(model, "--suggest")


def refine(model, *options):
    return ("tenet", "prove", f"{MODELS}/{model}.tenet", "--engine", "refine", *options, "--json")


def recursive(program):
    return ("tenet", "prove", f"models/recursive/{program}.clp", "--json", "--timeout", "60")


def filter_in_mode(name, clusters, branches):
    switches = ("--clusters", clusters, "--branches", branches)
    return ("tenet", "prove", "models/rtl/pfir.v", "--engine", "hybrid", *switches, "--property", name, "--json", "--timeout", "60")


def experiment(title, model, count, rounds, time):
    """The figures of one application of Lahiri and Bryant."""
    counted = strict(model)
    return (
        Row(f"{title}: verified", "yes", abstract(model), proved_yes),
        Row(f"{title}: predicates", str(count), abstract(model), predicates, count),
        Row(f"{title}: iterations", str(rounds), counted, iterations, rounds),
        Row(f"{title}: seconds", f"{time:,}", abstract(model), seconds, time, times=True),
    )


def application(title, model):
    """An application of which only that it was verified is published."""
    return (
        Row(f"{title}: verified", "yes", abstract(model), proved_yes),
        Row(f"{title}: predicates", NONE, abstract(model), predicates),
        Row(f"{title}: iterations", NONE, abstract(model, "--strict"), iterations),
        Row(f"{title}: seconds", NONE, abstract(model), seconds),
    )


LAHIRI_BRYANT = (
    Table(
        "running-example",
        "lahiri-bryant",
        "Lahiri, Bryant: the running example",
        (
            Row("rho0", "p <-> q", abstract("f_shift"), rho(0, "pq")),
            Row("rho1", "p | !q", abstract("f_shift"), rho(1, "pq")),
            Row("iterations until nothing is added", "2", abstract("f_shift"), lambda answer: iterations(answer) + 1, 2),
            Row("q -> p", "proved", abstract("f_shift"), proved),
        ),
    ),
    Table(
        "applications",
        "lahiri-bryant",
        "Lahiri, Bryant: applications (section 9; 2.1 GHz, 1 GB)",
        (
            *experiment("German, single-entry channels", "german", 17, 9, 85),
            *experiment("German, unbounded channels", "german_fifo", 29, 19, 263 * 60),
            *application("Out-of-order unit, one operand", "ooo"),
            *application("Out-of-order unit, two operands", "ooo_two_operands"),
            *application("Bakery, atomic reads", "bakery"),
            *application("Bakery, nonatomic reads", "bakery_nonatomic"),
            *application("Selection sort", "selection_sort"),
        ),
    ),
)

DAS_DILL_PARK = (
    Table(
        "experiments",
        "das-dill-park",
        "Das, Dill, Park: experiments (machine not given)",
        (
            Row("FLASH: verified", "yes", abstract("flash"), proved_yes),
            Row("FLASH: seconds", "7,200", abstract("flash"), seconds, 7200, times=True),
            Row("FLASH: predicates", NONE, abstract("flash"), predicates),
            Row("FLASH, from its properties alone by suggestions: verified", "yes", suggested("flash_property"), proved_yes),
            Row("FLASH, from its properties alone by suggestions: predicates added", NONE, suggested("flash_property"),
                lambda answer: len(answer["suggestions"])),
            Row("FLASH, from its properties alone by suggestions: seconds", NONE, suggested("flash_property"), seconds),
            Row("Garbage collector: verified", "yes", abstract("gc"), proved_yes),
            Row("Garbage collector: seconds", "10,800", abstract("gc"), seconds, 10800, times=True),
            Row("Garbage collector: predicates", NONE, abstract("gc"), predicates),
            Row("Garbage collector that shades first", NONE, abstract("gc_broken"), proved),
            Row("Garbage collector that shades first: seconds", NONE, abstract("gc_broken"), seconds),
            Row("Garbage collector with the printed scan predicate", NONE, abstract("gc_interval", "--deepen", "0"), proved),
            *(Row(f"Axiom {n} by an auxiliary program", "proved", abstract(f"gc_axiom{n}"), proved) for n in (1, 2, 3)),
            *(Row(f"Axiom {n} of ours by an auxiliary program", NONE, abstract(f"gc_axiom{n}"), proved) for n in (4, 5)),
        ),
    ),
)

JAFFAR_SANTOSA = (
    Table(
        "proofs",
        "jaffar-santosa",
        "Jaffar, Santosa: what is proved (no times are published)",
        (
            Row("Counting ones", "proved", recursive("counting_ones"), proved),
            Row("Bakery, atomic", "proved", recursive("bakery_atomic"), proved),
            Row("Bakery, original", "proved", recursive("bakery_original"), proved),
        ),
    ),
)

# The properties of the filter that are called the same in ours, which is another design: registers, gates and the length of the
# counterexample (table 1), then seconds, iterations and predicates without and with the method (table 2).
CLARKE_PFIR = {
    "scr1": ((243, 2295, 16), ("746", "109", "44"), ("386", "67", "34")),
    "prop5": ((250, 2342, 17), ("1616", "110", "43"), ("756", "101", "44")),
    "prop8": ((244, 2304, None), (">24 h", ">276", ">80"), ("159", "40", "25")),
    "prop9": ((244, 2304, None), (">24 h", ">189", ">47"), ("202", "43", "27")),
    "prop10": ((244, 2304, None), ("6808", "170", "52"), ("178", "50", "25")),
    "prop12": ((247, 2317, None), (">24 h", ">223", ">52"), ("591", "80", "38")),
}


def length(answer):
    """The states of the counterexample."""
    trace = answer["properties"][0].get("trace")
    return "true" if trace is None else len(trace["steps"])


def benchmark(name, registers, gates, states):
    """A line of table 1."""
    command = filter_in_mode(name, "on", "on")
    return (
        Row(f"{name}: registers", str(registers), command, hybrid("register_bits"), registers),
        Row(f"{name}: gates", f"{gates:,}", command, hybrid("gates"), gates),
        Row(f"{name}: length of the counterexample", str(states or "true"), command, length, states),
    )


def old_and_new(name, old, new):
    """A line of table 2."""
    rows = []
    for mode, switch, figures in (("old", "off", old), ("new", "on", new)):
        command = filter_in_mode(name, switch, switch)
        readers = (("seconds", times_of), ("iterations", hybrid("iterations")), ("predicates", hybrid("predicates")))
        for (what, read), figure in zip(readers, figures):
            number = None if figure.startswith(">") else float(figure)
            rows.append(Row(f"{name}: {what}", figure, command, read, number, times=what == "seconds", more=(mode,)))
    return rows


def figure_two(read, number=None):
    """A figure about the first extended counterexample of the design that is made for the paper's table."""
    command = ("tenet", "prove", f"{MODELS}/hybrid_refinement.v", "--engine", "hybrid", "--clusters", "off", "--json")

    def of_first(answer):
        return read(answer["hybrid"][0]["refinements"][0])

    return {"command": command, "read": of_first, "number": number}


def cells_of(formula):
    def read(refinement):
        return next(row["values"] for row in refinement["table"] if row["formula"] == formula)

    return read


def chosen(refinement):
    return ", ".join(row["formula"].upper() for row in refinement["table"] if row["standing"] == "chosen")


def size(design, name, field_name):
    """A size of a design after the reduction to what a property depends on."""
    command = ("tenet", "prove", f"models/rtl/{design}.v", "--engine", "hybrid", "--property", name, "--json", "--timeout", "60")
    return {"command": command, "read": hybrid(field_name)}


CLARKE = (
    Table(
        "figure-2",
        "clarke",
        "Clarke, Grumberg, Talupur, Wang: lazy refinement (figure 2)",
        (
            Row("States of the counterexample", "3", **figure_two(lambda found: found["length"], 3)),
            Row("B3 in the states", "11", **figure_two(cells_of("b3"))),
            Row("B4 in the states", "0x", **figure_two(cells_of("b4"))),
            Row("B5 in the states", "01", **figure_two(cells_of("b5"))),
            Row("Candidates chosen", "B3, B4", **figure_two(chosen)),
        ),
    ),
    Table(
        "sizes",
        "clarke",
        "Clarke, Grumberg, Talupur, Wang: sizes after the reduction (table 1; ours are other designs)",
        (
            Row("Instruction unit: registers", "4,855", number=4855, **size("instruction_unit", "trap_is_quiet", "register_bits")),
            Row("Instruction unit: gates", "149,143", number=149143, **size("instruction_unit", "trap_is_quiet", "gates")),
            Row("Load/store unit: registers", NONE, **size("load_store_unit", "stopped_is_silent", "register_bits")),
            Row("Load/store unit: gates", NONE, **size("load_store_unit", "stopped_is_silent", "gates")),
        ),
    ),
    Table(
        "benchmarks",
        "clarke",
        "Clarke, Grumberg, Talupur, Wang: PFIR, table 1 (ours is another design)",
        tuple(row for name, figures in CLARKE_PFIR.items() for row in benchmark(name, *figures[0])),
    ),
    Table(
        "old-and-new",
        "clarke",
        "Clarke, Grumberg, Talupur, Wang: PFIR, table 2 (ours is another design)",
        tuple(row for name, figures in CLARKE_PFIR.items() for row in old_and_new(name, *figures[1:])),
        ("mode",),
    ),
)

FOUR = "Method I backward"
LOOPS, BRANCHES, BACKWARD = "refine_loops", "refine_branches", "refine_branches_backward"
BALL_PODELSKI_RAJAMANI = (
    Table(
        "example",
        "ball-podelski-rajamani",
        "Ball, Podelski, Rajamani: the example (figure 4, section 6)",
        (
            Row(f"{FOUR}: passes of the loop", "4", refine(LOOPS, "--method", "I"), passes, 4),
            Row(FOUR, "succeeds", refine(LOOPS, "--method", "I"), method),
            Row("Method I forward, 12 iterations", "does not succeed",
                refine(LOOPS, "--method", "I", "--direction", "forward", "--iterations", "12"), method),
            Row("Method II forward, dropping x", "succeeds",
                refine(LOOPS, "--method", "II", "--direction", "forward", "--oracle", "drop:x"), method),
            Row("Method II backward, dropping z", "succeeds", refine(LOOPS, "--method", "II", "--oracle", "drop:z"), method),
            Row("Method III", "succeeds", refine(LOOPS, "--method", "III"), method),
            Row("Method I backward without contradictory disjuncts, 7 iterations", "does not succeed",
                refine(LOOPS, "--method", "I", "--pre", "satisfiable", "--iterations", "7"), method),
            Row("Method I forward, equations as two inequalities", "succeeds",
                refine(LOOPS, "--method", "I", "--direction", "forward", "--split-equalities"), method),
        ),
    ),
    Table(
        "converse",
        "ball-podelski-rajamani",
        "Ball, Podelski, Rajamani: the converse (section 7, footnote)",
        (
            Row("Forward: Method I", "succeeds", refine(BRANCHES, "--method", "I", "--direction", "forward"), method),
            Row("Forward: Method II, all widenings within a limit", "does not succeed",
                refine(BRANCHES, "--method", "II", "--direction", "forward", "--oracle", "exhaustive"), method),
            Row("Backward: Method I", "succeeds", refine(BACKWARD, "--method", "I"), method),
            Row("Backward: Method III", "succeeds", refine(BACKWARD, "--method", "III"), method),
            Row("Backward: Method III without contradictory disjuncts", NONE,
                refine(BACKWARD, "--method", "III", "--pre", "satisfiable"), method),
            Row("Backward: Method II, all widenings within a limit", "does not succeed",
                refine(BACKWARD, "--method", "II", "--oracle", "exhaustive"), method),
            Row("Backward: Method II forward, all widenings within a limit", "does not succeed",
                refine(BACKWARD, "--method", "II", "--direction", "forward", "--oracle", "exhaustive"), method),
        ),
    ),
)

TABLES = (*LAHIRI_BRYANT, *DAS_DILL_PARK, *JAFFAR_SANTOSA, *CLARKE, *BALL_PODELSKI_RAJAMANI)


@functools.cache
def of_page(page):
    return {table.name: table for table in TABLES if table.page == page}


def shown(value):
    """A figure as it is printed."""
    if value is None:
        return "not decided"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def ratio(row, value):
    """Ours by published, or the other way round for times; of words, whether they are the same."""
    if row.published == NONE:
        return NONE
    if row.number is None or not isinstance(value, (int, float)):
        return "same" if row.published == shown(value) else NONE if value is None or row.published.startswith(">") else "differs"
    if row.times:
        return f"{row.number / max(value, 0.01):,.0f} times faster"
    return f"{value / row.number:.2f}"


def cells(row, value):
    """One line of a table."""
    return (row.what, *row.more, row.published, shown(value), ratio(row, value))


def markdown(table, values):
    """The table between its markers."""
    lines = [table.header, ["---"] * len(table.header), *(cells(row, value) for row, value in zip(table.rows, values))]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


# A table on a page, between its markers.
MARKED = re.compile(r"(<!-- make papers: ([a-z0-9-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def wrong(page, text):
    """What in the tables of a page does not have the form that this program produces."""
    known, found = of_page(page), {}
    for _, name, body, _ in MARKED.findall(text):
        found[name] = [line for line in body.strip().splitlines()]
    problems = [f"{page}: table {name} is missing" for name in known if name not in found]
    for name, lines in found.items():
        if name not in known:
            problems.append(f"{page}: nothing produces table {name}")
            continue
        table = known[name]
        rows = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
        if not rows or rows[0] != list(table.header):
            problems.append(f"{page}: table {name} has other columns")
            continue
        width = len(table.header)
        fixed = [(*row.more, row.published) for row in table.rows]
        for row, line in zip(table.rows, rows[2:]):
            if len(line) != width or line[0] != row.what or tuple(line[1:width - 2]) not in fixed or not all(line):
                problems.append(f"{page}: table {name} has another row for {row.what}")
        if len(rows) - 2 != len(table.rows):
            problems.append(f"{page}: table {name} has {len(rows) - 2} rows instead of {len(table.rows)}")
    return problems
