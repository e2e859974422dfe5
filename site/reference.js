/** The reference of methods as pages of the site, out of the OpenRPC documents of the program. */

import {
  aliasesOf,
  errorTexts,
  groupsOf,
  lowered,
  objects,
  parameterText,
  typeText,
  writeMethods,
} from '../scripts/methods-document.js';

/** The document that the pages take the place of; its links are relative to it. */
const DOCUMENT = 'docs/methods.md';

/** An interface of the node, and its pages; paths are relative to the document. */
const NATIVE = { path: '/', suffix: '', folder: '../methods', objects: 'methods.md' };
const ETHEREUM = {
  path: '/ethereum',
  suffix: ' (/ethereum)',
  folder: '../methods/ethereum',
  objects: '../methods/ethereum/objects.md',
};

/**
 * Writes a page for each group of methods, with a heading for each method, and the document itself with lists that
 * link to them.
 *
 * @param {string} template of the document
 * @param {any} openrpc the description of `/`
 * @param {any} ethereum that of `/ethereum`
 * @returns {import('./stage.js').Page[]}
 */
export function referencePages(template, openrpc, ethereum) {
  const lists = {
    methods: listsOf(openrpc, NATIVE),
    ethereumMethods: lowered(listsOf(ethereum, ETHEREUM)),
  };
  return [
    { path: DOCUMENT, from: DOCUMENT, text: writeMethods(template, openrpc, ethereum, lists) },
    ...groupPages(openrpc, NATIVE),
    ...groupPages(ethereum, ETHEREUM),
    {
      path: 'methods/ethereum/objects.md',
      from: DOCUMENT,
      text: `# Objects (/ethereum)\n\n${linked(objects(ethereum), ETHEREUM)}\n`,
    },
  ];
}

/**
 * Lists the methods for the form that calls a node.
 *
 * @param {any} openrpc
 * @returns {Record<string, { summary: string, params: unknown[] }>} by name, with the parameters of the example
 */
export function formMethods(openrpc) {
  return Object.fromEntries(
    openrpc.methods.map(({ name, summary, examples }) => [
      name,
      { summary, params: (examples?.[0]?.params ?? []).map(({ value }) => value) },
    ]),
  );
}

/** Lists the methods of each group as links to their headings. */
function listsOf(openrpc, { folder }) {
  return groupsOf(openrpc)
    .map(({ tag, name, description, methods }) => {
      const links = methods.map(
        (method) => `[\`${method.name}\`](${folder}/${tag}.md#${method.name.toLowerCase()})`,
      );
      return `## ${name}\n\n${description}\n\n${links.join(', ')}`;
    })
    .join('\n\n');
}

function groupPages(openrpc, face) {
  return groupsOf(openrpc).map(({ tag, name, description, methods }) => {
    const parts = methods.map((method) => methodSection(method, openrpc, face));
    const text = `# ${name}${face.suffix}\n\n${description}\n\nMethods of \`${face.path}\`.\n\n${parts.join('\n\n')}\n`;
    return { path: `${face.folder.slice('../'.length)}/${tag}.md`, from: DOCUMENT, text: linked(text, face) };
  });
}

function methodSection(method, openrpc, { path }) {
  const { name, summary, params, result, examples } = method;
  const aliases = aliasesOf(name, openrpc).map((one) => `\`${one}\``);
  const errors = errorTexts(method, openrpc).map((text) => `- ${text}`);
  const parts = [
    `## ${name}`,
    summary,
    aliases.length > 0 ? `Also: ${aliases.join(', ')}.` : undefined,
    params.length > 0
      ? listOf(
          'Parameters',
          params.map((one) => `- ${parameterText(one, openrpc)}`),
        )
      : undefined,
    `**Result:** ${typeText(result.schema, openrpc)}`,
    errors.length > 0 ? listOf('Errors', errors) : undefined,
    method['x-differences'] === undefined
      ? undefined
      : `**Differences from Ethereum:** ${method['x-differences']}`,
    ...(examples ?? []).map((example) => exampleText(name, example)),
    `[Try ${name}](/try.md?method=${name}&path=${path})`,
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function listOf(title, lines) {
  return `**${title}**\n\n${lines.join('\n')}`;
}

function exampleText(method, { params, result }) {
  const request = { jsonrpc: '2.0', id: 1, method, params: params.map(({ value }) => value) };
  const texts = [request, { jsonrpc: '2.0', id: 1, result: result.value }].map((one) =>
    JSON.stringify(one, null, 2),
  );
  return texts.map((text) => `\`\`\`json\n${text}\n\`\`\``).join('\n\n');
}

/** Directs the links to objects to the page that describes them. */
function linked(text, { objects: page }) {
  return text.replaceAll('](#', `](${page}#`);
}
