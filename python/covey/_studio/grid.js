// A table of texts; Vue writes them as texts, so that no cell becomes HTML.
export default {
  props: { caption: String, columns: Array, rows: Array, gridKey: String },
  template: `
    <div class="grid" tabindex="0" role="region" :aria-label="caption" :data-key="gridKey">
      <table>
        <caption class="unseen">{{ caption }}</caption>
        <thead><tr><th v-for="(c, i) in columns" :key="i" scope="col" :class="[c.kind, { right: c.right }]">
          <span>{{ c.label }}</span><small v-if="c.sub">{{ c.sub }}</small></th></tr></thead>
        <tbody><tr v-for="(row, r) in rows" :key="r"><td v-for="(cell, i) in row" :key="i"
          :class="[columns[i] && columns[i].kind, { right: columns[i] && columns[i].right, none: cell === '' }, Array.isArray(cell) ? cell[1] : '']">{{
          Array.isArray(cell) ? cell[0] : cell === '' ? '–' : cell }}<small v-if="Array.isArray(cell) && cell[2]">{{ cell[2] }}</small></td></tr></tbody>
      </table>
    </div>`,
};
