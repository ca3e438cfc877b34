covey methods --json >all
python3 - <<'END'
import json
methods = json.load(open("all"))["methods"]
mondrian = [method for method in methods if method["name"] == "mondrian"][0]
print(mondrian["form"], mondrian["source"])
for method in methods:
    assert method["summary"] and method["keeps"] and method["source"] and method["form"], method
    assert isinstance(method["parameters"], list)
END
