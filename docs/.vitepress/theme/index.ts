import DefaultTheme from 'vitepress/theme';
import { Diagram } from './diagram.ts';
import './contrast.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram);
  },
};
