"""star.py NAME CSV HIERPREFIX K QI...: how much further star classes could lower the loss of a release's partition."""
import csv, sys, itertools, collections, time
name, table, hier, k, *qi = sys.argv[1:]
k = int(k)
rows = list(csv.DictReader(open(table)))
cls = [0]*len(rows)
for r in csv.DictReader(open(name+'.links')): cls[int(r['row'])-1] = int(r['class'])
n, q = len(rows), len(qi)
class Axis:
    def __init__(s, col):
        vals=[r[col] for r in rows]; s.tree=None; s.num=False
        import os
        f = hier+col+'.csv' if hier!='-' else None
        if f and os.path.exists(f):
            paths={}
            for line in open(f):
                p=line.rstrip('\n').split(';'); paths[p[0]]=p
            s.leaf={}; s.cover=collections.defaultdict(set)
            h=len(next(iter(paths.values())))
            for v,p in paths.items():
                for lev in range(h): s.cover[(lev,p[lev])].add(v)
            s.paths=paths; s.N=len(paths); s.h=h; s.codes=vals; s.tree=True
        else:
            try: s.codes=[int(v) for v in vals]; s.num=True; s.lo,s.hi=min(s.codes),max(s.codes)
            except ValueError: s.codes=vals
    def loss(s, values):
        if len(values)==1: return 0.0
        if s.num: return (max(values)-min(values))/(s.hi-s.lo)
        if s.tree:
            ps=[s.paths[v] for v in values]
            for lev in range(1,s.h):
                if all(p[lev]==ps[0][lev] for p in ps): return len(s.cover[(lev,ps[0][lev])])/s.N
            return 1.0
        return 1.0
ax=[Axis(c) for c in qi]
X=list(zip(*[a.codes for a in ax]))
memo={}
def loss(members):
    key=tuple(frozenset(c) for c in zip(*(X[r] for r in members)))
    if key not in memo: memo[key]=sum(a.loss(v) for a,v in zip(ax,key))
    return memo[key]
members=collections.defaultdict(set)
for r,c in enumerate(cls): members[c].add(r)
L={c:loss(m) for c,m in members.items()}
total=lambda: sum(L[c]*len(m) for c,m in members.items())/q/n
start=total(); print(name, 'classes', len(members), 'ail', round(start,6), end=' ')
stars=sum(len(m) for c,m in members.items() if any(a.loss(frozenset(X[r][i] for r in m))==1.0 for i,a in enumerate(ax)))
cells=sum(len(m)*sum(a.loss(frozenset(X[r][i] for r in m))==1.0 for i,a in enumerate(ax)) for c,m in members.items())
print(f'rows in classes with a root cell {stars/n:.1%}, root cells {cells/n/q:.2%}', end=' ', flush=True)
nxt=max(members)+1; t0=time.time(); opened=0; joined=0
def leave(c, out):
    m=members[c]-out
    return m
improved=True; rounds=0
while improved and rounds<4:
    improved=False; rounds+=1
    for size in range(0,q+1):
      for T in itertools.combinations(range(q),size):
        keep=[i for i in range(q) if i not in T]
        groups=collections.defaultdict(list)
        for r in range(n):
            if L[cls[r]]>size-1e-9 or True: groups[tuple(X[r][i] for i in keep)].append(r)
        for g in groups.values():
            if len(g)<k: continue
            # rows that would gain by a class that costs at most `size`
            cand=[r for r in g if L[cls[r]]>size-0.999*(size>0)]
            if len(cand)<k: continue
            by=collections.defaultdict(list)
            for r in cand: by[cls[r]].append(r)
            take=[]
            for c,rs in by.items():
                spare=len(members[c])-k
                if len(rs)==len(members[c]): take+=rs
                else: take+=rs[:max(0,spare)]
            if len(take)<k: continue
            # exact gain: new class's tight loss against the old ones, what is left of the old classes tightened
            new=set(take); ln=loss(new); gain=-ln*len(new)
            touched={cls[r] for r in take}; left={}
            for c in touched:
                m=members[c]-new; left[c]=m
                gain+=L[c]*len(members[c])-(loss(m)*len(m) if m else 0)
            if gain>1e-9:
                for c in touched:
                    if left[c]: members[c]=left[c]; L[c]=loss(left[c])
                    else: del members[c]; del L[c]
                members[nxt]=new; L[nxt]=ln
                for r in new: cls[r]=nxt
                nxt+=1; opened+=1; improved=True
assert all(len(m)>=k for m in members.values())
end=total(); print(f'-> {end:.6f} ({(start-end)/start:.3%} less, {opened} star classes opened, {time.time()-t0:.0f} s)')
