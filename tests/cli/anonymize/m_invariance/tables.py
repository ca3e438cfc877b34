# Not a case: three waves of a table in which people come, go and return; the same numbers on every machine.
import random

random.seed(4)
ILLNESSES = ["flu", "cold", "asthma", "cancer", "gastritis", "hiv"]
people, here = [], set()


def come(n):
    for _ in range(n):
        here.add(len(people))
        people.append((f"p{len(people)}", random.randint(20, 80), random.randint(1000, 1999), random.choices(ILLNESSES, [6, 5, 4, 2, 2, 1])[0]))


come(120)
for wave in 1, 2, 3:
    rows = sorted(here)
    for name, order in (f"wave{wave}.csv", rows), (f"reversed{wave}.csv", rows[::-1]):
        with open(name, "w") as out:
            print("patient,age,zip,illness", file=out)
            for i in order:
                print(*people[i], sep=",", file=out)
    gone = set(random.sample(sorted(here), 25))
    here -= gone
    come(30)
    if wave == 2:
        here |= set(sorted(gone)[:5])
