/** A text of any length in a box that scrolls. */
export function Scrolled({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll what is in the box
    <pre class="sunken" tabIndex={0}>
      {text}
    </pre>
  );
}
