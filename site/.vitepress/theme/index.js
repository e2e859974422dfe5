/** VitePress's theme with the fonts of the system, and the form that calls a node. */

import Theme from 'vitepress/theme-without-fonts';
import TryIt from './TryIt.vue';

export default {
  extends: Theme,
  enhanceApp({ app }) {
    app.component('TryIt', TryIt);
  },
};
