import { options } from 'preact';
import { shownText } from '../text/shown-text.ts';

/** Has every text of every element, whoever wrote it, shown as it is: names, reasons and notes are others' words. */
export function showTextsAsTheyAre(): void {
  const { vnode: before } = options;
  options.vnode = (node) => {
    if (typeof node.type === 'string') {
      // What an element is given is what its maker wrote, and nobody else has it yet.
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
