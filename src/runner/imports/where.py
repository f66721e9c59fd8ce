import importlib.util
import os
import sys
import sysconfig

library = os.path.realpath(sysconfig.get_paths()["stdlib"])
for name in sys.argv[1:]:
    try:
        found = importlib.util.find_spec(name)
    except Exception:
        continue
    if not found:
        continue
    places = list(found.submodule_search_locations or []) or [found.origin or ""]
    place = os.path.realpath(places[0])
    own = place.startswith(library + os.sep) and "-packages" not in place
    if not own and os.path.exists(place):
        print(name, place, sep="\t")
