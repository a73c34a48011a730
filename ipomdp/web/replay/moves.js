// The moves of a game as a table; a row, or a refused try in it, leads to its step.
export default {
  template: `
    <div class="ipomdp-moves" ref="frame" tabindex="-1">
      <table class="ipomdp-table" aria-label="the moves">
        <thead><tr><th>move</th><th>refused</th><th>made</th><th>heard</th></tr></thead>
        <tbody>
          <tr :class="{now: current === 0}" data-step="0" role="button" tabindex="0"
              @click="$emit('go', 0)" @keydown.enter.prevent="$emit('go', 0)">
            <td colspan="4">the start</td></tr>
          <tr v-for="(r, k) in rows" :key="k" :class="[r.by, {now: r.step !== null && r.step === current}]"
              :data-step="r.step" :aria-current="r.step === current ? 'step' : null"
              role="button" tabindex="0" @click="open(r)" @keydown.enter.prevent="open(r)">
            <td class="number"><span class="side" :class="r.by" :title="r.by"></span>{{ r.number }}<span
                class="sr-only"> {{ r.by }}</span></td>
            <td><button v-for="[name, step] in r.tries" :key="step" type="button" class="try"
                        :class="{now: step === current}" :data-step="step" :aria-label="name + ' refused'"
                        @click.stop="$emit('go', step)" @keydown.enter.stop>{{ name }}</button></td>
            <td class="made">{{ r.move }}</td>
            <td class="heard">{{ r.heard }}</td>
          </tr>
        </tbody>
      </table>
    </div>`,
  props: { rows: Array, current: Number },
  watch: {
    current() { this.$nextTick(this.follow); },
    rows() { this.$nextTick(this.follow); },
  },
  methods: {
    open(row) {
      const step = row.step === null ? row.tries.at(-1)[1] : row.step;
      this.$emit("go", step);
    },
    follow() {
      const frame = this.$refs.frame, here = frame.querySelector(`[data-step="${this.current}"]`);
      if (!here) return;
      const inside = here.getBoundingClientRect(), outside = frame.getBoundingClientRect();
      if (inside.top < outside.top + 28) frame.scrollTop += inside.top - outside.top - 32;
      else if (inside.bottom > outside.bottom) frame.scrollTop += inside.bottom - outside.bottom + 4;
    },
  },
};
