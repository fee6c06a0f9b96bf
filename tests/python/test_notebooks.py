"""The notebooks of src/python/examples run from their first cell to their last:
python3 tests/python/test_notebooks.py FILE...

Cells are run one after the other in one name space, as Jupyter does; the last
expression of a cell has to show itself, as HTML where it can."""
import ast
import json
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None


def play(cell, space):
    tree = ast.parse("".join(cell))
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), space)
    if last is not None:
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
        show = getattr(shown, "_repr_html_", None)
        assert len(show() if show else repr(shown)) > 0


for file in sys.argv[1:]:
    with open(file) as f:
        cells = [c["source"] for c in json.load(f)["cells"]
                 if c["cell_type"] == "code"]
    space = {"__name__": "__main__"}
    passed = 0
    for cell in cells:
        if matplotlib is None and ".plot(" in "".join(cell):
            print("skipped: plots need matplotlib")
            cell = [line for line in cell if ".plot(" not in line]
        if cell:
            play(cell, space)
            passed += 1
    print(f"{file}: {passed} cells")
