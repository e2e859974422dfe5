import { options } from 'preact';
import { shownText } from '../text/shown-text.ts';

/** Escapes invisible characters in every text of every element: names, reasons and notes are foreign texts. */
export function showTextsAsTheyAre(): void {
  const { vnode: before } = options;
  options.vnode = (node) => {
    if (typeof node.type === 'string') {
      // The properties belong to this element alone at this time.
      const props: Record<string, unknown> = node.props;
      if (props.children !== undefined) props.children = shownChildren(props.children);
      for (const name of ['title', 'aria-label']) {
        const text = props[name];
        if (typeof text === 'string') props[name] = shownText(text);
      }
    }
    before?.(node);
  };
}

function shownChildren(children: unknown): unknown {
  if (typeof children === 'string') return shownText(children);
  return Array.isArray(children) ? children.map(shownChildren) : children;
}
