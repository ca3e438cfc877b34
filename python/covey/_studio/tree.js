// A hierarchy as nested lists of buttons: a click selects, and a node that is dragged onto another goes below it.
const opened = new Map(); // what somebody opened or closed stays so when the tree is drawn again
const TreeNode = {
  name: "TreeNode",
  props: { node: Object, selected: String },
  emits: ["choose", "put", "more"],
  data() { return { open: opened.has(this.node.id) ? opened.get(this.node.id) : this.node.open } },
  methods: { turn() { this.open = !this.open; opened.set(this.node.id, this.open); } },
  template: `
    <li>
      <button v-if="node.children" type="button" class="turn" :aria-expanded="open ? 'true' : 'false'" :aria-label="node.label"
        :data-key="'turn-' + node.id" @click="turn">{{ open ? '▾' : '▸' }}</button>
      <button type="button" class="node" :class="{ leaf: !node.children }" :aria-pressed="selected === node.id ? 'true' : 'false'"
        :data-key="'node-' + node.id" draggable="true" @click="$emit('choose', node.id)"
        @dragstart="(e) => e.dataTransfer.setData('text/plain', node.id)" @dragover.prevent
        @drop.prevent.stop="(e) => $emit('put', [e.dataTransfer.getData('text/plain'), node.id])"
      ><span class="text">{{ node.label }}</span><span class="count">{{ node.count }}</span></button>
      <ul v-if="node.children && open">
        <tree-node v-for="child in node.children" :key="child.id" :node="child" :selected="selected"
          @choose="(id) => $emit('choose', id)" @put="(pair) => $emit('put', pair)" @more="(id) => $emit('more', id)" />
        <li v-if="node.more"><button type="button" class="button quiet small" :data-key="'more-' + node.id" :aria-label="node.label + ' ' + node.more"
          @click="$emit('more', node.id)">{{ node.more }}</button></li>
      </ul>
    </li>`,
};
TreeNode.components = { TreeNode };
export default {
  components: { TreeNode },
  props: { root: Object, selected: String, caption: String },
  emits: ["choose", "put", "more"],
  template: `<ul class="tree" :aria-label="caption"><tree-node :node="root" :selected="selected" @choose="(id) => $emit('choose', id)" @put="(pair) => $emit('put', pair)" @more="(id) => $emit('more', id)" /></ul>`,
};
