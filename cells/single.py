"""What stars in single rows would save, and whom they would leave fewer than k rows: python3 single.py NAME CSV HIER K QI..."""
import sys, io, contextlib
src=open('star.py').read().split("nxt=max(members)")[0]
exec(src)
saved=0; victims=0; starred=0
for c,m in members.items():
    m=list(m)
    for i,a in enumerate(ax):
        vals=[X[r][i] for r in m]; whole=a.loss(frozenset(vals)); 
        best=0;bs=0
        cnt=collections.Counter(vals)
        # star the rows of one value, fewer than k
        for v,mm in cnt.items():
            if mm>=k or mm==len(m): continue
            rest=a.loss(frozenset(x for x in cnt if x!=v))
            gain=whole*len(m)-rest*(len(m)-mm)-mm
            if gain>best: best,bs=gain,mm
        if best>1e-9: saved+=best; starred+=bs; victims+=bs
print(f'\n stars in single rows: {starred} cells of {n*q}, loss {start:.6f} -> {start-saved/n/q:.6f} ({saved/n/q/start:.1%} less)')
