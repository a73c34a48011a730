// A board: own pieces, tokens, what was announced; tries by click, drag or keys.
const FILES = "abcdefgh";
const CELL = 45;
const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

export default {
  template: `
    <div class="ipomdp-board" :style="{maxWidth: width}">
      <svg :viewBox="box" role="application" :aria-label="view.label" tabindex="0" ref="svg"
           @keydown="key" @blur="cursor = null"
           @pointerdown="down" @pointermove="drag" @pointerup="up" @pointercancel="dragged = null">
        <g v-for="c in cells" :key="c.name">
          <rect :x="c.x" :y="c.y" :width="cell" :height="cell" :class="['square', c.light ? 'light' : 'dark']"/>
          <rect v-if="heat(c.name) > 0" :x="c.x" :y="c.y" :width="cell" :height="cell" class="heat"
                :opacity="0.12 + 0.68 * Math.min(1, heat(c.name))"/>
          <rect v-if="marked(c.name)" :x="c.x" :y="c.y" :width="cell" :height="cell" :class="'mark ' + marked(c.name)"/>
          <rect v-if="c.name === selected" :x="c.x" :y="c.y" :width="cell" :height="cell" class="mark selected"/>
          <text v-if="c.rank" :x="c.x + 2" :y="c.y + 9" class="coordinate" :class="c.light ? 'dark' : 'light'">{{ c.rank }}</text>
          <text v-if="c.file" :x="c.x + cell - 2" :y="c.y + cell - 3" text-anchor="end" class="coordinate"
                :class="c.light ? 'dark' : 'light'">{{ c.file }}</text>
        </g>
        <g v-for="t in tokens" :key="t.kind + t.square" :class="['token', t.kind, t.certain ? 'certain' : '']"
           :data-token="t.kind" :data-square="t.square" :data-probability="t.probability">
          <circle :cx="t.x" :cy="t.y" :r="t.r" :fill-opacity="t.certain ? 1 : Math.min(0.85, t.probability)"
                  :stroke-opacity="t.certain ? 1 : Math.max(0.35, t.probability)"/>
          <text v-if="t.sign" :x="t.x" :y="t.y" class="sign" :font-size="t.r * 1.5"
                :opacity="t.certain ? 1 : Math.max(0.25, t.probability)">{{ t.sign }}</text>
        </g>
        <g v-for="p in pieces" :key="p.square" :transform="place(p)" :class="{dragged: dragged && dragged.from === p.square}">
          <use :href="'#piece-' + p.letter" width="45" height="45" :data-piece="p.letter" :data-square="p.square"
               :data-moves="(moves[p.square] || []).join(' ')"/>
        </g>
        <g v-for="n in notes" :key="'note' + n.square" class="note">
          <rect :x="n.x" :y="n.y" :width="n.wide" height="9.5" rx="2"/>
          <text :x="n.x + n.wide / 2" :y="n.y + 7.2" text-anchor="middle">{{ n.text }}</text>
        </g>
        <circle v-for="s in targets" :key="'to' + s.name" :cx="s.x + cell / 2" :cy="s.y + cell / 2" r="5" class="target"/>
        <rect v-for="c in cells" :key="'hit' + c.name" :x="c.x" :y="c.y" :width="cell" :height="cell" :class="['hit', moves[c.name] ? 'movable' : '']"
              :data-square="c.name"><title>{{ describe(c.name) }}</title></rect>
        <rect v-if="cursor" :x="at(cursor).x + 1.5" :y="at(cursor).y + 1.5" :width="cell - 3" :height="cell - 3" class="cursor"/>
      </svg>
      <div class="sr-only" aria-live="polite">{{ spoken }}</div>
    </div>`,
  props: { view: Object, width: { type: String, default: "36rem" } },
  data: () => ({ selected: null, cursor: null, dragged: null, spoken: "", cell: CELL }),
  computed: {
    box() { const n = this.view.size * CELL; return `0 0 ${n} ${n}`; },
    cells() {
      const n = this.view.size, flipped = this.view.flipped, found = [];
      for (let row = 0; row < n; row++) for (let column = 0; column < n; column++) {
        const file = flipped ? n - 1 - column : column, rank = flipped ? row : n - 1 - row;
        found.push({
          name: FILES[file] + (rank + 1), x: column * CELL, y: row * CELL, light: (file + rank) % 2 === 1,
          rank: column === 0 ? rank + 1 : null, file: row === n - 1 ? FILES[file] : null,
        });
      }
      return found;
    },
    places() { return Object.fromEntries(this.cells.map((c) => [c.name, c])); },
    pieces() { return Object.entries(this.view.pieces).map(([square, letter]) => ({ square, letter })); },
    tokens() {
      const shape = { piece: [0.5, 0.5, 16, ""], check: [0.24, 0.76, 9, "+"], king: [0.76, 0.24, 9, "♚"] };
      return (this.view.tokens || []).filter((t) => this.places[t.square]).map((t) => {
        const [dx, dy, r, sign] = shape[t.kind], place = this.at(t.square);
        return { ...t, x: place.x + dx * CELL, y: place.y + dy * CELL, r, sign };
      });
    },
    notes() {
      return Object.entries(this.view.notes || {}).flatMap(([square, lines]) => lines.map((text, k) => {
        const place = this.at(square);
        return { square: square + k, text, x: place.x + 1, y: place.y + 1 + 10.5 * k, wide: 4.1 * text.length + 4 };
      }));
    },
    targets() { return (this.moves[this.selected] || []).map((name) => this.at(name)); },
    moves() { return this.view.moves || {}; },
  },
  watch: {
    "view.moves"() { if (this.selected && !this.moves[this.selected]) this.selected = null; },
  },
  methods: {
    at(square) { return this.places[square]; },
    heat(square) { return (this.view.heat || {})[square] || 0; },
    marked(square) { return (this.view.marks || {})[square]; },
    tell(token) {
      const who = { piece: "A piece may stand", check: "The checking piece may stand", king: "The king may stand" }[token.kind];
      const percent = token.certain ? "certain" : token.probability < 0.01 ? "<1%" : Math.round(100 * token.probability) + "%";
      return `${who} on ${token.square}: ${percent}`;
    },
    place(piece) {
      if (this.dragged && this.dragged.moved && this.dragged.from === piece.square)
        return `translate(${this.dragged.x - CELL / 2},${this.dragged.y - CELL / 2})`;
      const { x, y } = this.at(piece.square);
      return `translate(${x},${y})`;
    },
    point(event) {
      const frame = this.$refs.svg.getBoundingClientRect(), scale = (this.view.size * CELL) / frame.width;
      const x = (event.clientX - frame.left) * scale, y = (event.clientY - frame.top) * scale;
      const cell = this.cells.find((c) => x >= c.x && x < c.x + CELL && y >= c.y && y < c.y + CELL);
      return { x, y, square: cell ? cell.name : null };
    },
    down(event) {
      const { x, y, square } = this.point(event);
      if (!square) return;
      this.cursor = null;
      if (this.moves[square]) {
        this.dragged = { from: square, x, y, startX: x, startY: y, moved: false };
        this.$refs.svg.setPointerCapture(event.pointerId);
      }
    },
    drag(event) {
      if (!this.dragged) return;
      const { x, y } = this.point(event), d = this.dragged;
      const moved = d.moved || Math.hypot(x - d.startX, y - d.startY) > 6;
      this.dragged = { ...d, x, y, moved };
      if (moved) this.selected = d.from;
    },
    up(event) {
      const { square } = this.point(event), dragged = this.dragged;
      this.dragged = null;
      if (dragged && dragged.moved) {
        this.selected = dragged.from;
        if (square && square !== dragged.from) this.choose(square, true);
      } else if (square) this.choose(square, false);
    },
    choose(square, dropped) {
      if (this.selected && square !== this.selected && (this.moves[this.selected] || []).includes(square)) {
        const origin = this.selected;
        this.selected = null;
        this.say(`${origin} to ${square}`);
        this.$emit("try", { origin, target: square });
      } else if (!dropped && this.moves[square] && square !== this.selected) this.selected = square;
      else this.selected = null;
    },
    key(event) {
      const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
      if (steps[event.key]) {
        const n = this.view.size, here = this.at(this.cursor || this.selected || Object.keys(this.moves)[0] || this.cells[0].name);
        const column = here.x / CELL, row = here.y / CELL, [dx, dy] = this.cursor ? steps[event.key] : [0, 0];
        const c = Math.min(n - 1, Math.max(0, column + dx)), r = Math.min(n - 1, Math.max(0, row + dy));
        this.cursor = this.cells[r * n + c].name;
        this.say(this.describe(this.cursor));
      } else if (event.key === "Enter" || event.key === " ") {
        if (this.cursor) this.choose(this.cursor, false);
      } else if (event.key === "Escape") this.selected = this.cursor = null;
      else return;
      event.preventDefault();
    },
    describe(square) {
      const letter = this.view.pieces[square];
      const piece = letter ? `${letter === letter.toUpperCase() ? "white" : "black"} ${NAMES[letter.toUpperCase()]}` : "";
      const tokens = (this.view.tokens || []).filter((t) => t.square === square).map(this.tell);
      return [square, piece, ...tokens].filter(Boolean).join(", ");
    },
    say(words) { this.spoken = words; },
  },
};
