import { useData } from 'vitepress';
import { defineComponent, h, ref, watchEffect } from 'vue';

let drawn = 0;

/** Draws a Mermaid diagram in the browser; its source is shown until then. */
export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const text = decodeURIComponent(source);
    const svg = ref('');
    if (!import.meta.env.SSR)
      watchEffect(async () => {
        const theme = isDark.value ? 'dark' : 'neutral';
        const { default: mermaid } = await import('mermaid');
        mermaid.initialize({ startOnLoad: false, theme });
        svg.value = (await mermaid.render(`diagram-${drawn++}`, text)).svg;
      });
    return () => (svg.value ? h('div', { class: 'diagram', innerHTML: svg.value }) : h('pre', { tabindex: 0 }, text));
  },
});
