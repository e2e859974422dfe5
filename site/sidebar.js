/** The order of the pages in the navigation. */

/** Groups of the navigation: a title, and paths of pages, or a folder with all of its pages. */
const GROUPS = [
  {
    text: 'Use',
    paths: ['README.md', 'try.md'].concat(
      ['ethereum', 'moving', 'forking', 'clients', 'testing', 'verification', 'tracing', 'explorer'].map(
        (name) => `docs/${name}.md`,
      ),
      'examples/README.md',
    ),
  },
  {
    text: 'Look up',
    paths: ['configuration', 'interface', 'methods', 'limits'].map((name) => `docs/${name}.md`),
  },
  { text: 'Methods of /', folder: 'methods', collapsed: true },
  { text: 'Methods of /ethereum', folder: 'methods/ethereum', collapsed: true },
  {
    text: 'Operate',
    paths: ['nodes', 'cluster', 'block-log', 'operations', 'container', 'platforms']
      .map((name) => `docs/${name}.md`)
      .concat('SECURITY.md', 'deploy/README.md', 'deploy/kubernetes/README.md'),
  },
  {
    text: 'The program',
    paths: ['architecture', 'tour', 'transaction', 'evm', 'performance', 'glossary']
      .map((name) => `docs/${name}.md`)
      .concat('CONTRIBUTING.md', 'CHANGELOG.md'),
  },
];

/**
 * Orders the pages for the navigation; pages that no group names are at its end.
 *
 * @param {ReadonlyMap<string, string>} titles of all pages by path
 * @param {(path: string) => string} stagedPath path of a page's Markdown in the site
 * @returns {object[]} the `sidebar` of VitePress
 */
export function sidebarOf(titles, stagedPath) {
  const rest = new Map(titles);
  const itemsOf = (paths) =>
    paths.flatMap((path) => {
      const text = rest.get(path);
      rest.delete(path);
      return text === undefined
        ? []
        : [
            {
              text: text.replace(' (/ethereum)', ''),
              link: `/${stagedPath(path).replace(/(index)?\.md$/, '')}`,
            },
          ];
    });
  const groups = GROUPS.map(({ text, paths, folder, collapsed = false }) => {
    const pages = paths ?? [...titles.keys()].filter((path) => path.replace(/\/[^/]*$/, '') === folder);
    return { text, collapsed, items: itemsOf(pages) };
  });
  return [...groups, { text: 'More', collapsed: true, items: itemsOf([...rest.keys()]) }];
}
