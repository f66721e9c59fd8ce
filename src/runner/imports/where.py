import importlib.util
import os
import sys
import sysconfig

if sys.argv[1] != "here":
    sys.path = [place for place in sys.path if place not in ("", os.getcwd())]
library = os.path.realpath(sysconfig.get_paths()["stdlib"])
for name in sys.argv[2:]:
    try:
        found = importlib.util.find_spec(name)
    except Exception:
        continue
    if not found:
        print(name, "", sep="\t")
        continue
    places = list(found.submodule_search_locations or []) or [found.origin or ""]
    place = os.path.realpath(places[0])
    own = place.startswith(library + os.sep) and "-packages" not in place
    if not own and os.path.exists(place):
        print(name, place, sep="\t")
