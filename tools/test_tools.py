"""Tests of the scripts in this folder and in benches: `python3 -m unittest discover tools`."""

import contextlib
import importlib.machinery
import io
import os
import pathlib
import random
import tempfile
import types
import unittest
import unittest.mock
import zipfile

TOOLS = pathlib.Path(__file__).resolve().parent


def load(name):
    """Import a script that has no .py suffix, leaving no compiled file beside it."""
    loader = importlib.machinery.SourceFileLoader(name, str(TOOLS / name))
    module = types.ModuleType(name)
    module.__file__ = str(TOOLS / name)
    exec(compile(loader.get_data(loader.path), loader.path, "exec"), module.__dict__)
    return module


agree = load("agree")
campaign = load("campaign")
circuits = load("circuits")
conformance = load("conformance")
horn = load("../benches/horn.py")
hybrid_bench = load("../benches/hybrid.py")
licences = load("licences")
mutants = load("mutants")
peers = load("../benches/peers.py")
rtl = load("../benches/rtl.py")
setup = load("setup")
tables = load("../benches/papers/tables.py")


class Agree(unittest.TestCase):
    def answer(self, verdict, assumptions=(), instance=None):
        found = {"properties": [{"name": "i", "verdict": verdict}], "assumptions": list(assumptions), "instance": instance or {}}
        return agree.Answer("tenet", 0, verdict, 0.1, found)

    def test_two_engines_contradict_each_other(self):
        proofs = [self.answer("safe"), self.answer("unknown")]
        self.assertEqual(list(agree.contradictions(proofs, [])), [])
        self.assertEqual(len(list(agree.contradictions([*proofs, self.answer("unsafe")], []))), 1)

    def test_a_proof_speaks_of_some_instances(self):
        explored = [(self.answer("unsafe"), ("N", 2))]
        for proof, count in [(self.answer("safe"), 1), (self.answer("safe", ["N >= 3"]), 0), (self.answer("safe", ["N >= 2"]), 1),
                             (self.answer("safe", ["N = 3 as written"]), 0),
                             (self.answer("safe", instance={"size": {"N": 4}}), 0)]:
            self.assertEqual(len(list(agree.contradictions([proof], explored))), count)

    def test_each_size_is_tried(self):
        written = self.answer("safe", instance={"size": {"P": 3}, "const": {}})
        self.assertEqual([changed for changed, _ in agree.instances(written)], [("P", size) for size in range(1, 6)])


class Campaign(unittest.TestCase):
    def test_a_model_depends_on_its_seed_and_number_alone(self):
        for language in campaign.LANGUAGES:
            texts = {campaign.write_model(language, 7, number).text() for number in range(50)}
            again = {campaign.write_model(language, 7, number).text() for number in range(50)}
            self.assertEqual(texts, again)
            self.assertGreater(len(texts), 45)

    def test_models_have_what_is_often_got_wrong(self):
        texts = "".join(campaign.write_model("murphi", 1, number).text() for number in range(200))
        for word in ["scalarset(N)", "1..N", "N - 1", "N / 2", "undefine", "bvalid", "forall", "exists", "else", "const N : 5"]:
            self.assertIn(word, texts)

    def test_a_verdict_says_which_sizes_it_is_about(self):
        self.assertEqual(list(campaign.claimed("safe: 1 invariant holds, for every size of P", 3)), [1, 2, 3, 4, 5])
        self.assertEqual(list(campaign.claimed("safe: 1 invariant holds, for every N >= 4", 3)), [4, 5])
        self.assertEqual(list(campaign.claimed("safe: 1 invariant holds", 3)), [3])

    def judged(self, prove, explored, line="safe, for every size of P"):
        """What is found if prove says this, and explore finds violations at these sizes."""
        tenet = unittest.mock.Mock()
        codes = {"safe": 0, "unsafe": 10, "unknown": 5, "refused": 3, "crash": 101}
        end = lambda verdict, late=False: campaign.Ended("", codes[verdict], verdict, late, {})
        tenet.explore.side_effect = lambda path, options: end(
            "unsafe" if options and int(options[-1].split("=")[1]) in explored else "safe")
        tenet.prove.return_value, tenet.verdict_line.return_value = end(prove), line
        found = campaign.judge(tenet, "murphi", None, "const N : 3;", ["auto"], campaign.collections.Counter())
        return [finding.kind for finding in found]

    def test_contradictions_and_crashes_are_found(self):
        self.assertEqual(self.judged("safe", []), [])
        self.assertEqual(self.judged("safe", [4]), ["wrong safe"])
        self.assertEqual(self.judged("safe", [1, 2], "safe, for every N >= 3"), [])
        self.assertEqual(self.judged("safe", [4], "safe"), [])
        self.assertEqual(self.judged("unsafe", [2]), [])
        self.assertEqual(self.judged("unsafe", []), ["wrong unsafe"])
        self.assertEqual(self.judged("unknown", [2]), [])
        self.assertEqual(self.judged("refused", [2]), [])
        self.assertEqual(self.judged("crash", []), ["crash"])

    def test_findings_are_made_smaller(self):
        model = campaign.Model("head", ["one", "two"], ["three", "four"], 3)
        self.assertEqual(campaign.shrink(model, lambda text: "two" in text and "four" in text), "head\ntwo\nfour\n")


class Circuits(unittest.TestCase):
    def test_a_verdict_contradicts_another_one_only(self):
        self.assertTrue(circuits.contradicts("safe", "unsafe"))
        self.assertTrue(circuits.contradicts("unsafe", "safe"))
        for known, found in [("safe", "safe"), ("safe", "unknown"), ("unknown", "unsafe"), (None, "safe")]:
            self.assertFalse(circuits.contradicts(known, found))

    def test_a_folder_need_not_have_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.assertEqual(circuits.expected(folder), {})
            (folder / "expected.tsv").write_text("file\tverdict\tnote\na.btor2\tsafe\tby hand\n\nb.btor\tunsafe\n")
            self.assertEqual(circuits.expected(folder), {"a.btor2": "safe", "b.btor": "unsafe"})


class LicenceExpressions(unittest.TestCase):
    ALLOWED = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"}

    def check(self, expression, expected):
        self.assertEqual(licences.is_allowed(expression, self.ALLOWED), expected, expression)

    def test_a_licence_is_looked_up(self):
        self.check("MIT", True)
        self.check("GPL-3.0-only", False)

    def test_or_is_a_choice_and_and_a_duty(self):
        self.check("GPL-3.0-only OR MIT", True)
        self.check("GPL-3.0-only AND MIT", False)
        self.check("MIT/GPL-3.0", True)
        self.check("GPL-2.0 / LGPL-2.1", False)

    def test_and_binds_tighter_than_or(self):
        self.check("MIT OR GPL-3.0-only AND GPL-2.0-only", True)
        self.check("(MIT OR GPL-3.0-only) AND GPL-2.0-only", False)
        self.check("(MIT OR GPL-3.0-only) AND Unicode-3.0", True)
        self.check("GPL-2.0-only AND GPL-3.0-only OR MIT", True)

    def test_an_exception_belongs_to_its_licence(self):
        self.check("Apache-2.0 WITH LLVM-exception", True)
        self.check("MIT WITH LLVM-exception", False)
        self.check("MIT WITH LLVM-exception OR Apache-2.0", True)

    def test_what_does_not_parse_is_not_allowed(self):
        for expression in ["", "(MIT", "MIT)", "MIT MIT", "MIT OR", "OR MIT", "MIT AND (", "MIT, MIT", "MIT WITH"]:
            self.check(expression, False)


class LicencePolicy(unittest.TestCase):
    def test_the_lists_are_read_from_the_policy(self):
        policy = '[a]\nallow = ["X"]\n\n[licenses]\nallow = [\n    "MIT", # why "not"\n    "ISC",\n]\n[z]\nallow = ["Y"]\n'
        self.assertEqual(licences.string_list(policy, "licenses", "allow"), ["MIT", "ISC"])
        self.assertEqual(licences.string_list(policy, "a", "allow"), ["X"])
        self.assertRaises(licences.PolicyError, licences.string_list, policy, "licenses", "deny")

    def test_our_policy_has_no_copyleft(self):
        allowed = set(licences.string_list((TOOLS.parent / "deny.toml").read_text(), "licenses", "allow"))
        self.assertIn("MIT", allowed)
        self.assertFalse([name for name in allowed if "GPL" in name or "MPL" in name])

    def test_violations_name_the_package(self):
        package = {"name": "p", "version": "1.0.0", "source": "registry+https://good", "license": "MIT"}
        check = lambda **changes: list(licences.violations_of({**package, **changes}, {"MIT"}))
        self.assertEqual(check(), [])
        self.assertEqual(check(license="X"), ["p 1.0.0: licence X is not allowed"])
        self.assertEqual(check(license=None), ["p 1.0.0: declares no licence"])
        self.assertEqual(check(source="git+https://bad"), ["p 1.0.0: source git+https://bad is not allowed"])


class SetUp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()

    def options(self, **changes):
        return types.SimpleNamespace(**{"deps": self.folder / "deps", "wheels": None, "no_system": False, **changes})

    def patch(self, **replacements):
        for name, value in replacements.items():
            self.addCleanup(setup.__dict__.__setitem__, name, setup.__dict__[name])
            setup.__dict__[name] = value

    def wheel(self, names, name="z3_solver-0-py3-none-any.whl"):
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            for member, text in names.items():
                archive.writestr(member, text)
        return path

    def test_versions_from_the_oldest_to_the_next_major_are_accepted(self):
        for version, expected in [((5, 4, 0), True), ((5, 11, 2), True), ((5, 3, 9), False), ((4, 8, 12), False)]:
            self.assertEqual(setup.is_new_enough(version), expected, version)
        self.assertFalse(setup.is_new_enough((6, 0, 0)))
        self.assertFalse(setup.is_new_enough(None))

    def test_a_file_that_is_no_library_has_no_version(self):
        (self.folder / setup.LIBRARY).write_text("text")
        self.assertIsNone(setup.version_of(self.folder / setup.LIBRARY))
        self.assertIsNone(setup.version_of(self.folder / "absent"))

    def test_unpacking_restores_the_links_and_takes_nothing_else(self):
        members = {"z3/lib/libz3.so": "code", "z3/lib/libz3.so.5.4": "code", "z3/lib/evil/libz3.so": "no", "z3/z3.py": "no"}
        out = self.folder / "out"
        out.mkdir()
        setup.unpack(self.wheel(members), out)
        self.assertEqual(sorted(os.listdir(out)), ["libz3.so", "libz3.so.5.4"])
        self.assertEqual(os.readlink(out / "libz3.so"), "libz3.so.5.4")
        self.assertEqual((out / "libz3.so").read_text(), "code")

    def test_a_wheel_without_a_library_is_refused(self):
        self.assertRaises(setup.SetupError, setup.unpack, self.wheel({"z3/z3.py": ""}), self.folder)

    def test_a_wheel_with_a_hash_that_is_not_pinned_is_refused(self):
        self.patch(has_pip=lambda: True, download_with_pip=lambda folder: self.wheel({"z3/lib/libz3.so": "evil"}))
        with self.assertRaisesRegex(setup.SetupError, "hash"):
            setup.fetch(self.options(), self.folder)

    def yosys(self, folder, text="#!/bin/sh\necho Yosys 0.23\n"):
        program = folder / "yosys"
        folder.mkdir(parents=True, exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
        return program

    def test_a_yosys_that_is_there_is_used(self):
        never = lambda *_: self.fail("nothing has to be fetched")
        self.patch(make_native_yosys=never, make_portable_yosys=never)
        path = f"{self.yosys(self.folder / 'bin').parent}{os.pathsep}{os.environ['PATH']}"
        with unittest.mock.patch.dict(os.environ, {"PATH": path}):
            setup.provide_yosys(self.options())
        self.assertFalse((self.folder / "deps" / "yosys").exists())

    def test_yosys_is_made_in_one_way_or_another_and_only_kept_if_it_runs(self):
        self.patch(
            make_native_yosys=lambda folder, scratch: "#!/bin/sh\nexit 1\n",
            make_portable_yosys=lambda folder, scratch: "#!/bin/sh\necho Yosys 0.23\n",
            is_yosys=lambda program: str(program) != "yosys" and setup.output_of(str(program), "-V").startswith("Yosys"),
        )
        setup.provide_yosys(self.options())
        self.assertTrue(setup.is_yosys(self.folder / "deps" / "yosys" / "bin" / "yosys"))

    def test_that_yosys_cannot_be_had_is_a_note(self):
        def fail(folder, scratch):
            raise setup.SetupError("no network")

        self.patch(make_native_yosys=fail, make_portable_yosys=fail, is_yosys=lambda program: False)
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            setup.provide_yosys(self.options())
        self.assertIn("apt install yosys", printed.getvalue())
        self.assertEqual(sorted(os.listdir(self.folder / "deps")), ["lock"])

    def test_the_newest_suitable_system_library_is_linked_under_all_its_names(self):
        system = self.folder / "system"
        system.mkdir()
        for name in ["libz3.so.5.3.0", "libz3.so.5.6.0"]:
            (system / name).write_text(name)
        (system / "libz3.so.5.6").symlink_to("libz3.so.5.6.0")
        versions = {"libz3.so.5.3.0": (5, 3, 0), "libz3.so.5.6.0": (5, 6, 0)}
        version_of = lambda path: versions.get(os.path.basename(os.path.realpath(path))) if os.path.exists(path) else None
        libraries = sorted(path for path in system.iterdir() if not path.is_symlink())
        self.patch(offer_cxx_runtime=lambda folder: None)
        self.patch(LIBRARY="libz3.so", system_libraries=lambda: libraries, version_of=version_of)
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("Z3_LIBRARY_PATH_OVERRIDE", None)
            self.assertIn("5.6.0 from the system", setup.provide(self.options()))
            self.assertIn("5.6.0 ready", setup.provide(self.options()))
        made = self.folder / "deps" / "z3" / "lib"
        self.assertEqual(sorted(os.listdir(made)), ["libz3.so", "libz3.so.5.6", "libz3.so.5.6.0"])
        self.assertEqual((made / "libz3.so.5.6").read_text(), "libz3.so.5.6.0")
        self.assertEqual(sorted(os.listdir(self.folder / "deps")), ["lock", "z3"])

    def test_the_z3_program_is_taken_out_of_the_wheel(self):
        wheel = self.wheel({"z3_solver-0.data/data/bin/z3": "code", "z3_solver-0.data/data/bin/evil/z3": "no"})
        self.patch(fetch=lambda options, scratch: wheel)
        program = setup.make_z3_program(self.options(), self.folder)
        self.assertEqual(program.read_text(), "code")
        self.assertTrue(os.access(program, os.X_OK))
        self.patch(fetch=lambda options, scratch: self.wheel({"z3/lib/libz3.so": "code"}))
        self.assertRaises(setup.SetupError, setup.make_z3_program, self.options(), self.folder)

    def test_solvers_that_cannot_be_had_are_a_note(self):
        def refuse(*_):
            raise setup.SetupError("no network\nat all")

        (self.folder / "deps").mkdir()
        self.patch(fetch=refuse, has_pip=lambda: True, pip_download=refuse)
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            setup.provide_solvers(self.options())
        self.assertEqual(errors.getvalue().count("no network\n"), 2)
        self.assertEqual(os.listdir(self.folder / "deps"), ["lock"])

    def test_solvers_are_made_once(self):
        def make(_options, scratch):
            (scratch / "made").write_text("#!/bin/sh\n")
            return scratch / "made"

        (self.folder / "deps").mkdir()
        self.patch(make_z3_program=make, make_cvc5=make)
        setup.provide_solvers(self.options())
        solvers = self.folder / "deps" / "solvers"
        self.assertEqual(sorted(os.listdir(solvers)), ["cvc5", "z3"])
        self.patch(has_z3_program=lambda folder: True, has_cvc5=lambda folder: True, make_z3_program=None, make_cvc5=None)
        setup.provide_solvers(self.options())

    def test_an_old_library_chosen_by_the_user_is_an_error(self):
        with unittest.mock.patch.dict(os.environ, Z3_LIBRARY_PATH_OVERRIDE=str(self.folder)):
            self.assertRaisesRegex(setup.SetupError, "at least 5.4", setup.provide, self.options())

    def test_the_cxx_runtime_is_linked_only_where_its_development_file_is_missing(self):
        cases = [("/gcc/libstdc++.so", "/lib/libstdc++.so.6", False), ("libstdc++.so", "/lib/libstdc++.so.6", True)]
        for number, (development_file, runtime, expected) in enumerate([*cases, ("libstdc++.so", "libstdc++.so.6", False)]):
            answers = {"libstdc++.so": development_file, "libstdc++.so.6": runtime}
            self.patch(output_of=lambda compiler, option: answers[option.split("=")[1]] + "\n")
            folder = self.folder / str(number)
            folder.mkdir()
            setup.offer_cxx_runtime(folder)
            self.assertEqual(os.listdir(folder) == ["libstdc++.so"], expected)

    def test_a_failed_fetch_leaves_the_old_state_and_a_message(self):
        def refuse(folder):
            raise setup.SetupError("no network")

        self.patch(newest_system_library=lambda: None, has_pip=lambda: True, download_with_pip=refuse)
        errors = io.StringIO()
        with unittest.mock.patch.dict(os.environ), contextlib.redirect_stderr(errors):
            os.environ.pop("Z3_LIBRARY_PATH_OVERRIDE", None)
            with unittest.mock.patch("sys.argv", ["setup", "--deps", str(self.folder / "deps")]):
                self.assertEqual(setup.main(), 1)
        self.assertIn("no network", errors.getvalue())
        self.assertEqual(os.listdir(self.folder / "deps"), ["lock"])

    def test_the_index_page_is_searched_for_this_machine(self):
        self.patch(is_for_this_machine=lambda name: "mine" in name, pinned_version=lambda: "5.4.0.0")
        names = ["z3_solver-5.4.0.0-other.whl", "z3_solver-5.3.0.0-mine.whl", "z3_solver-5.4.0.0-mine.whl"]
        page = "".join(f'<a href="../f/{name}#sha256=0">{name}</a>' for name in names)
        found = setup.wheel_address(page, "https://index/simple/z3-solver/")
        self.assertEqual(found.split("#")[0], "https://index/simple/f/z3_solver-5.4.0.0-mine.whl")
        self.assertRaises(setup.SetupError, setup.wheel_address, "<p>", "https://index/")

    def test_a_kept_wheel_is_reused_only_if_its_hash_is_pinned(self):
        wheel = self.wheel({"a": "b"})
        self.patch(is_for_this_machine=lambda name: True)
        self.assertIsNone(setup.kept_wheel(self.folder))
        self.patch(pinned_hashes=lambda: {setup.sha256(wheel)})
        self.assertEqual(setup.kept_wheel(self.folder), wheel)


class ReferenceCounts(unittest.TestCase):
    def test_labels_and_the_last_name_are_kept(self):
        counts = conformance.parse_counts("NODE=2: 40 symmetry-reduced, 80 full; 3: 95, 560")
        expected = [
            ({"NODE": 2}, {"symmetry-reduced": 40, "full": 80}),
            ({"NODE": 3}, {"symmetry-reduced": 95, "full": 560}),
        ]
        self.assertEqual(counts, expected)

    def test_a_count_without_a_label_is_the_full_one(self):
        self.assertEqual(conformance.parse_counts("as written: 7"), [({}, {"full": 7})])
        counts = conformance.parse_counts("N=3: 5; 4: 9 (full; no violation)")
        self.assertEqual(counts, [({"N": 3}, {"full": 5}), ({"N": 4}, {"full": 9})])

    def test_what_is_not_named_again_stays(self):
        counts = conformance.parse_counts("N=1 DATA=1: 12; DATA=2: 30 (full); N=2 DATA=1: 44")
        settings = [settings for settings, _ in counts]
        self.assertEqual(settings, [{"N": 1, "DATA": 1}, {"N": 1, "DATA": 2}, {"N": 2, "DATA": 1}])

    def test_what_cannot_be_read_is_an_error(self):
        for text in ["12", "N: 3", "3: 4", "N=2: many", "N=2: 3 full, 4 full", "N=2 or so: 3"]:
            with self.assertRaises(conformance.TableError, msg=text):
                conformance.parse_counts(text)

    def test_a_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "expected.tsv"
            lines = ["file\tverdict\tcounts\tnote", "ring.m\tsafe\tN=2: 8\t", 'lamp.m\tunsafe\t\t"two" lamps', ""]
            path.write_text("\n".join(lines), encoding="utf-8")
            rows = [("ring.m", "safe", [({"N": 2}, {"full": 8})]), ("lamp.m", "unsafe", [])]
            self.assertEqual(conformance.read_table(path), rows)
            path.write_text("file\tverdict\nring.m\tsound\n", encoding="utf-8")
            self.assertRaises(conformance.TableError, conformance.read_table, path)


class Mutants(unittest.TestCase):
    MODEL = '''-- A lamp.
--
--   tenet explore models/lamp.m --size ROOM=2 --deadlock off   safe, 4 states
--   tenet explore models/lamp.m --size ROOM=4   safe, 16 states
--   every ROOM and N: safe
Const N : 2;
type ROOM : scalarset(N); LAMP : enum { Off, On, Broken };
var lamp : array [ROOM] of LAMP; count : 0..N;
function is_on(r : ROOM) : boolean; begin return lamp[r] = On; end;
startstate for r : ROOM do lamp[r] := Off; end; count := 0; end;
ruleset r : ROOM do
  rule "on" lamp[r] = Off & forall q : ROOM do q = r | !is_on(q) & lamp[q] != Broken end -- & nothing
  ==>
    if lamp[r] = On then lamp[r] := Off; else lamp[r] := On; end;
    count := exists q : ROOM; s : ROOM do q != s end ? 1 : 0;
    for i := 0 to 1 do count := i end
  end;
  rule "off" is_on(r) | false ==> clear lamp; end;
  rule "always" begin lamp := lamp[r := Off]; end;
end;
invariant "lamps" forall r : ROOM do lamp[r] != Broken end;
'''

    def texts(self, kind):
        """What is replaced by what."""
        found = [mutation for mutation in mutants.mutations(self.MODEL) if mutation.kind == kind]
        return [(self.MODEL[mutation.start:mutation.end], mutation.text) for mutation in found]

    def test_conjuncts_of_guards_are_dropped(self):
        self.assertEqual(self.texts("dropped guard"), [
            ("lamp[r] = Off & ", ""),
            ("& forall q : ROOM do q = r | !is_on(q) & lamp[q] != Broken end", ""),
            ("is_on(r) | false", "true"),
        ])

    def test_assignments_are_dropped_and_nothing_else_that_looks_like_one(self):
        self.assertEqual([old for old, _ in self.texts("dropped update")], [
            "lamp[r] := Off;", "count := 0;", "lamp[r] := Off;", "lamp[r] := On;",
            "count := exists q : ROOM; s : ROOM do q != s end ? 1 : 0;", "count := i ", "lamp := lamp[r := Off];",
        ])

    def test_constants_are_swapped_for_others_of_their_type_in_the_code_alone(self):
        swapped = self.texts("swapped constant")
        self.assertIn(("Broken", "Off"), swapped)
        self.assertIn(("false", "true"), swapped)
        self.assertIn(("1", "2"), swapped)
        self.assertNotIn(("0", "-1"), swapped)
        self.assertNotIn(("2", "3"), swapped, "declarations stay as they are")
        self.assertEqual(swapped.count(("Broken", "On")), 1, "and so do properties")

    def test_a_mutation_is_described_by_its_line(self):
        mutation = next(found for found in mutants.mutations(self.MODEL) if found.text == "true")
        self.assertEqual(mutants.describe(self.MODEL, mutation), "line 18: dropped guard: is_on(r) | false -> true")
        self.assertIn('rule "off" true ==> clear', mutants.apply(self.MODEL, mutation))

    def test_the_order_depends_on_the_seed_and_kinds_take_turns(self):
        order = lambda seed: mutants.in_random_order(mutants.mutations(self.MODEL), random.Random(seed))
        self.assertEqual(order("1 lamp.m"), order("1 lamp.m"))
        self.assertNotEqual(order("1 lamp.m"), order("2 lamp.m"))
        self.assertEqual(sorted(order("1")), sorted(mutants.mutations(self.MODEL)))
        self.assertEqual(len({mutation.kind for mutation in order("1")[:3]}), 3)

    def test_the_header_says_what_to_run(self):
        header = mutants.read_header(self.MODEL)
        self.assertEqual(header, ([["--size", "ROOM=2"]], "safe", ["ROOM", "N"]))
        self.assertRaises(mutants.HeaderError, mutants.read_header, "-- Nothing.")

    def test_every_model_has_such_a_header_and_enough_mutants(self):
        for model in mutants.chosen_models([]):
            source = model.read_text(encoding="utf-8")
            self.assertTrue(mutants.read_header(source).instances, model)
            self.assertGreaterEqual(len(mutants.mutations(source)), 20, model)

    def test_a_search_is_judged_by_what_both_readings_call_wrong(self):
        entry = lambda code: {"verdict": "unsafe", "code": code}
        self.assertEqual(mutants.finding([]), "clean")
        self.assertEqual(mutants.finding([{"verdict": "unknown", "code": "U0103"}]), "clean")
        self.assertEqual(mutants.finding([entry("V0105")]), "faulty")
        self.assertEqual(mutants.finding([entry("V0105"), entry("V0101")]), "violated")

    def test_answers_that_contradict_each_other_are_wrong(self):
        self.assertEqual(mutants.fit("violated", "safe", "violated"), "WRONG")
        self.assertEqual(mutants.fit("clean", "exit 6", "clean"), "WRONG")
        self.assertEqual(mutants.fit("clean", "unsafe", "clean"), "WRONG")
        self.assertEqual(mutants.fit("clean", "unsafe", "violated"), "")
        self.assertEqual(mutants.fit("violated", "unknown", "violated"), "missed")
        self.assertEqual(mutants.fit("faulty", "safe", "faulty"), "differs")
        self.assertEqual(mutants.fit("clean", "safe", "clean"), "")

    def test_an_instance_becomes_options(self):
        options = mutants.instance_options({"size": {"ROOM": 2}, "const": {"N": "3"}})
        self.assertEqual(options, ["--size", "ROOM=2", "--const", "N=3"])


class Peers(unittest.TestCase):
    HEADING = "file\tverdict\tcubicle_brab2_cpu_s"

    def run_of(self, verdict, cpu=1.0, wall=1.0):
        return peers.Run(verdict, cpu, wall, 50.0)

    def test_a_table(self):
        tasks = peers.read_table([self.HEADING, "a.cub\tsafe\t0.06", "b.cub\tunknown\t", "c.cub\tunsafe"])
        self.assertEqual(tasks, [("a.cub", "safe", 0.06, None), ("b.cub", "unknown", None, None), ("c.cub", "unsafe", None, None)])

    def test_what_cannot_be_read_is_an_error(self):
        for lines in [[], ["a.cub\tsafe\t1"], [self.HEADING, "a.cub\tsure\t1"], [self.HEADING, "a.cub\tsafe\tlong"]]:
            self.assertRaises(peers.TableError, peers.read_table, lines)

    def test_unknown_is_never_wrong_and_another_end_is_a_failure(self):
        self.assertEqual(peers.judge("safe", "safe"), "")
        self.assertEqual(peers.judge("safe", "unknown"), "missing")
        self.assertEqual(peers.judge("safe", "time out"), "missing")
        self.assertEqual(peers.judge("unknown", "unsafe"), "more")
        self.assertEqual(peers.judge("unsafe", "safe"), "WRONG")
        self.assertEqual(peers.judge("unknown", "exit 6"), "FAILED")

    def test_cubicle_is_asked_in_its_own_words(self):
        self.assertEqual(peers.cubicle_verdict(0, "\n\nThe system is SAFE\n"), "safe")
        self.assertEqual(peers.cubicle_verdict(1, "Error trace: ...\n\nUNSAFE !\n"), "unsafe")
        self.assertEqual(peers.cubicle_verdict(2, "syntax error"), "exit 2")

    def test_the_mean_is_geometric_and_over_files_with_a_time_and_the_right_verdict(self):
        results = [
            (peers.Task("a", "safe", 1.0, None), self.run_of("safe", cpu=4.0)),
            (peers.Task("b", "unsafe", 4.0, None), self.run_of("unsafe", cpu=1.0, wall=11.0)),
            (peers.Task("b", "safe", 4.0, None), self.run_of("unknown", cpu=0.01)),
            (peers.Task("c", "unknown", None, None), self.run_of("safe", cpu=100.0)),
        ]
        text = peers.summary(results)
        self.assertIn("over the 2 files with the right verdict, of 3: 1.00", text)
        self.assertIn("4 files: 0 wrong verdicts, 1 missing, 0 failed, 1 decided beyond the table; 1 above 10 s, 0 above their bounds", text)

    def test_a_bound_is_shown_and_watched(self):
        task = peers.Task("flash.m", "safe", None, 5)
        self.assertEqual(peers.remark(task, self.run_of("safe")), "bound 5 s")
        self.assertEqual(peers.remark(task, self.run_of("unknown", wall=6.0)), "missing, bound 5 s, EXCEEDED")

    def test_a_run_is_measured_and_stopped(self):
        found = peers.run(["sh", "-c", "echo UNSAFE; exit 10"], 30, peers.our_verdict)
        self.assertEqual(found.verdict, "unsafe")
        self.assertGreater(found.memory, 0)
        self.assertEqual(peers.run(["sh", "-c", "exec sleep 30"], 0.1, peers.our_verdict).verdict, "time out")


class Horn(unittest.TestCase):
    def result(self, expected, ours, spacer, seconds=(1.0, 1.0)):
        runs = [horn.peers.Run(verdict, cpu, cpu, 50.0) for verdict, cpu in zip((ours, spacer), seconds)]
        return horn.Result(horn.Task("a.smt2", expected), *runs)

    def test_a_table_of_verdicts_may_have_more_columns(self):
        tasks = horn.read_expected(["file\tverdict\tdata", "a.smt2\tsafe\tint", "b/c.smt2\tunknown"])
        self.assertEqual(tasks, [("a.smt2", "safe"), ("b/c.smt2", None)])

    def test_what_cannot_be_read_is_an_error(self):
        for lines in [[], ["a.smt2\tsafe"], ["file\tverdict", "a.smt2\tsure"], ["file\tverdict", "a.smt2"]]:
            self.assertRaises(horn.peers.TableError, horn.read_expected, lines)
        for lines in [["", "a.smt2\tsafe"], ["file\tverdict\tseconds", "a.smt2\tsafe\tlong"]]:
            self.assertRaises(horn.peers.TableError, horn.read_recorded, lines)

    def test_without_a_table_all_files_below_the_folder_are_taken(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "b").mkdir()
            for file in ["b/c.smt2", "a.smt2", "notes.txt"]:
                (folder / file).touch()
            self.assertEqual(horn.tasks_of(folder), [("a.smt2", None), ("b/c.smt2", None)])

    def test_solutions_of_clauses_are_invariants_and_answers_to_queries_are_runs(self):
        self.assertEqual(horn.spacer_verdict("(set-logic HORN)\n(check-sat)", 0, "sat\n(model)"), "safe")
        self.assertEqual(horn.spacer_verdict("(set-logic HORN)\n(check-sat)", 0, "unsat"), "unsafe")
        self.assertEqual(horn.spacer_verdict("(rule (=> p q))\n(query q)", 0, "sat"), "unsafe")
        self.assertEqual(horn.spacer_verdict("; (query q)\n(check-sat)", 0, "unsat"), "unsafe")
        self.assertEqual(horn.spacer_verdict("(check-sat)", 0, "timeout"), "unknown")
        self.assertEqual(horn.spacer_verdict("(check-sat)", 1, "(error \"unsat core\")"), "exit 1")

    def test_wrong_verdicts_are_shouted_and_nothing_else_is(self):
        self.assertEqual(horn.judge(self.result("safe", "unsafe", "time out")), "WRONG, only tenet")
        self.assertEqual(horn.judge(self.result(None, "unsafe", "safe")), "DIFFERENT")
        self.assertEqual(horn.judge(self.result("safe", "safe", "unsafe")), "DIFFERENT, Spacer is wrong")
        self.assertEqual(horn.judge(self.result("safe", "unknown", "safe")), "only Spacer")
        self.assertEqual(horn.judge(self.result("safe", "refused", "time out")), "")
        self.assertEqual(horn.judge(self.result("safe", "exit 101", "unknown")), "FAILED")

    def test_the_summary_counts_both_and_compares_what_both_decide(self):
        results = [
            self.result("safe", "safe", "safe", (4.0, 1.0)),
            self.result("unsafe", "unsafe", "unsafe", (1.0, 4.0)),
            self.result("safe", "safe", "time out", (9.0, 20.0)),
            self.result("unsafe", "safe", "unknown"),
            self.result("unsafe", "refused", "unsafe"),
        ]
        text = horn.summary(results)
        self.assertIn("5 files: tenet decides 4 (3 safe, 1 unsafe), Spacer 3 (1 safe, 2 unsafe); only tenet 2, only Spacer 1; ", text)
        self.assertIn("1 refused, 0 failed, 1 wrong verdicts, 0 different ones", text)
        self.assertIn("over the 2 files that both decide: 1.00", text)
        self.assertEqual(text.count("*** WRONG VERDICT"), 1)


class Rtl(unittest.TestCase):
    def found(self, verdict, seconds):
        return rtl.Found(verdict, seconds, 7, 12)

    def width_runs(self, *seconds, verdict="safe"):
        return [rtl.peers.Run(verdict, cpu, cpu, 50.0) for cpu in seconds]

    def test_the_numbers_of_a_run_come_from_its_answer(self):
        answer = {"hybrid": [{"iterations": 3, "predicates": ["a", "b"]}]}
        run = rtl.peers.Run("safe", 1.0, 2.0, 50.0)
        self.assertEqual(rtl.found_in(run, answer), ("safe", 2.0, 3, 2))
        self.assertEqual(rtl.found_in(run, {}), ("safe", 2.0, None, None))

    def test_a_mode_without_an_end_counts_with_the_time_it_had(self):
        fast, slow = self.found("safe", 2.0), self.found("unknown", 120.0)
        self.assertEqual(rtl.ratio(slow, fast), 60.0)
        self.assertIsNone(rtl.ratio(fast, slow))
        self.assertIn(">60.0", rtl.line("prop8", "safe", {"plain": slow, "hybrid": fast}))

    def test_only_hybrid_has_to_be_fast_but_nobody_may_be_wrong(self):
        late, right, wrong = self.found("safe", 61.0), self.found("safe", 1.0), self.found("unsafe", 1.0)
        self.assertEqual(rtl.remark("safe", {"plain": late, "hybrid": right}), "")
        self.assertEqual(rtl.remark("safe", {"plain": right, "hybrid": late}), "TOO SLOW")
        self.assertEqual(rtl.remark("safe", {"plain": wrong, "hybrid": right}), "WRONG (plain: unsafe)")

    def test_growth_is_from_the_narrowest_to_the_widest(self):
        self.assertEqual(rtl.growth(self.width_runs(1.0, 9.0, 9.0, 1.5)), 1.5)
        self.assertIsNone(rtl.growth(self.width_runs(1.0, 1.0, 1.0, 1.0, verdict="unknown")))
        self.assertIn("GROWS TOO MUCH", rtl.width_line("fifo", self.width_runs(1.0, 1.0, 1.0, 2.5)))


class Hybrid(unittest.TestCase):
    def found(self, verdict, seconds):
        return hybrid_bench.Found(verdict, seconds, 7, 12, 100, 2000)

    def task(self, expected=None):
        return hybrid_bench.Task("unit: full", "unit.v", "full", expected)

    def test_new_may_take_a_fifth_longer_than_old_and_no_more(self):
        as_good = hybrid_bench.is_as_good
        self.assertTrue(as_good(self.found("safe", 1.0), self.found("safe", 1.2)))
        self.assertFalse(as_good(self.found("safe", 1.0), self.found("safe", 1.3)))
        self.assertTrue(as_good(self.found("unknown", 1.0), self.found("safe", 60.0)))
        self.assertFalse(as_good(self.found("safe", 1.0), self.found("unknown", 1.0)))
        self.assertTrue(as_good(self.found("unknown", 1.0), self.found("unknown", 2.0)))

    def test_modes_that_contradict_each_other_are_told(self):
        results = {"old": self.found("safe", 1.0), "bdd": self.found("unsafe", 1.0), "ic3": self.found("unknown", 9.0)}
        self.assertEqual(hybrid_bench.verdict(results), "CONTRADICTION")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertFalse(hybrid_bench.summary([(self.task(), results)]))

    def test_what_must_not_be_stands_behind_a_line_in_capitals(self):
        unknown, wrong = {"new": self.found("unknown", 60.0)}, {"new": self.found("safe", 1.0)}
        self.assertEqual(hybrid_bench.remark(self.task(), unknown), "NOT DECIDED")
        self.assertEqual(hybrid_bench.remark(self.task("unsafe"), wrong), "WRONG: it is unsafe")
        failed = {"new": self.found("safe", 1.0), "bdd": self.found("exit 101", 1.0)}
        self.assertEqual(hybrid_bench.remark(self.task(), failed), "FAILED (bdd: exit 101)")
        slower = {"old": self.found("safe", 1.0), "new": self.found("safe", 2.0)}
        self.assertEqual(hybrid_bench.remark(self.task(), slower), "old is faster")
        refused = {"old": self.found("exit 3", 0.1), "new": self.found("exit 3", 0.1)}
        self.assertEqual(hybrid_bench.verdict(refused), "refused")
        self.assertEqual(hybrid_bench.remark(self.task(), refused), "")


class PublishedFigures(unittest.TestCase):
    """The tables of docs/papers have the form that `make papers` writes."""

    def page(self):
        """A page with one table, as it should be."""
        rows = (tables.Row("verified", "yes", (), None), tables.Row("seconds", "85", (), None, 85, times=True))
        known = tables.Table("applications", "page", "Applications", rows)
        text = tables.markdown(known, ("yes", 0.5))
        return {"applications": known}, f"Before.\n<!-- make papers: applications -->\n{text}\n<!-- end -->\nBehind.\n"

    def wrong(self, change):
        known, text = self.page()
        with unittest.mock.patch.object(tables, "of_page", lambda page: known):
            return tables.wrong("page", change(text))

    def test_what_is_written_is_right(self):
        self.assertEqual(self.wrong(lambda text: text), [])

    def test_a_table_that_is_missing(self):
        self.assertEqual(self.wrong(lambda text: ""), ["page: table applications is missing"])

    def test_a_table_that_nothing_produces(self):
        problems = self.wrong(lambda text: text + text.replace("applications", "invented"))
        self.assertEqual(problems, ["page: nothing produces table invented"])

    def test_other_columns(self):
        self.assertEqual(self.wrong(lambda text: text.replace("published", "printed")), ["page: table applications has other columns"])

    def test_another_figure_of_the_paper(self):
        self.assertEqual(self.wrong(lambda text: text.replace("| 85 |", "| 58 |")), ["page: table applications has another row for seconds"])

    def test_a_figure_of_ours_that_is_missing(self):
        self.assertEqual(self.wrong(lambda text: text.replace("0.50", "")), ["page: table applications has another row for seconds"])

    def test_a_row_that_is_missing(self):
        def without_last(text):
            return "\n".join(line for line in text.split("\n") if not line.startswith("| seconds"))

        self.assertEqual(self.wrong(without_last), ["page: table applications has 1 rows instead of 2"])

    def test_figures_may_change(self):
        self.assertEqual(self.wrong(lambda text: text.replace("0.50", "0.75")), [])

    def test_every_page(self):
        folder = TOOLS.parent / "docs" / "papers"
        for path in sorted(folder.glob("*.md")):
            text = path.read_text(encoding="utf-8")
            self.assertEqual(tables.wrong(path.stem, text), [], path.name)


if __name__ == "__main__":
    unittest.main()