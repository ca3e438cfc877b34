covey models --json k-anonymity
covey models --json >all
python3 - <<'END'
import json
models = json.load(open("all"))["models"]
names = [model["name"] for model in models]
assert "k-anonymity" in names and len(set(names)) == len(names)
for model in models:
    assert model["summary"] and model["not_against"] and model["source"], model
    for parameter in model["parameters"]:
        assert parameter["type"] in ("integer", "number", "boolean", "choice", "text", "yaml"), parameter
        assert (parameter["choices"] is not None) == (parameter["type"] == "choice"), parameter
END
