/** The list of methods as Markdown, out of the OpenRPC document that the program has of itself. */

const COMPONENTS = '#/components/schemas/';

/**
 * Writes the document: the template, with its marks replaced.
 *
 * @param {string} template Markdown
 * @param {any} openrpc the description of the interface
 * @param {any} ethereum that of `/ethereum`
 * @param {{ methods: string, ethereumMethods: string }} [lists] of the methods; the default is tables of everything
 * @returns {string} Markdown
 * @throws {Error} if the template lacks a mark
 */
export function writeMethods(
  template,
  openrpc,
  ethereum,
  { methods, ethereumMethods } = {
    methods: sections(openrpc),
    ethereumMethods: withoutObjects(lowered(sections(ethereum))),
  },
) {
  const parts = {
    methods,
    objects: objects(openrpc),
    'shape differences': shapeDifferences(openrpc),
    'not implemented': notImplemented(openrpc),
    'ethereum methods': ethereumMethods,
    'ethereum not implemented': notImplemented(ethereum),
  };
  return Object.entries(parts).reduce((text, [name, part]) => {
    const mark = `<!-- ${name} -->`;
    if (!text.includes(mark)) throw new Error(`the template lacks the mark ${mark}`);
    return text.replace(mark, () => part);
  }, template);
}

/**
 * Lists the groups of methods, in their order; an alias is part of its method.
 *
 * @param {any} openrpc
 * @returns {{ tag: string, name: string, description: string, methods: any[] }[]}
 */
export function groupsOf(openrpc) {
  return Object.entries(openrpc.components.tags)
    .map(([tag, { name, description }]) => {
      const isInGroup = ({ tags }) => tags.some(({ $ref }) => $ref.endsWith(`/${tag}`));
      const methods = openrpc.methods.filter((one) => one['x-alias-of'] === undefined && isInGroup(one));
      return { tag, name, description, methods };
    })
    .filter(({ methods }) => methods.length > 0);
}

function sections(openrpc) {
  const head = ['method', 'parameters', 'result', 'errors', 'differences from Ethereum'];
  return groupsOf(openrpc)
    .map(({ name, description, methods }) => {
      const rows = methods.map((method) => methodRow(method, openrpc));
      return `## ${name}\n\n${description}\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

/**
 * Lowers headings by one level.
 *
 * @param {string} text Markdown
 * @returns {string}
 */
export function lowered(text) {
  return text.replaceAll(/^## /gm, '### ');
}

/** Removes links to objects, which the document has for `/` only. */
function withoutObjects(text) {
  return text.replaceAll(/\[([^\]]+)\]\(#[a-z0-9]+\)/g, '$1');
}

function methodRow(method, openrpc) {
  const { name, summary, params, result } = method;
  return [
    `${[name, ...aliasesOf(name, openrpc)].map((one) => `\`${one}\``).join(', ')}<br>${summary}`,
    params.map((parameter) => parameterText(parameter, openrpc)).join('<br>'),
    typeText(result.schema, openrpc),
    errorTexts(method, openrpc).join('<br>'),
    method['x-differences'] ?? '',
  ];
}

/**
 * Lists the aliases of a method.
 *
 * @param {string} name
 * @param {any} openrpc
 * @returns {string[]}
 */
export function aliasesOf(name, openrpc) {
  return openrpc.methods.filter((method) => method['x-alias-of'] === name).map((method) => method.name);
}

/**
 * Describes a parameter in one line.
 *
 * @param {any} parameter
 * @param {any} openrpc
 * @returns {string} Markdown
 */
export function parameterText({ name, required, schema, summary }, openrpc) {
  const parts = [`\`${name}\`: ${typeText(schema, openrpc)}`];
  if (!required) parts.push('optional');
  const explained = summary ?? inlineDescription(schema);
  return `${parts.join(', ')}${explained === undefined ? '' : `. ${explained}`}`;
}

/** Describes a schema without a name. */
function inlineDescription(schema) {
  const [only] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return schema.description ?? (schema.anyOf?.length === 2 ? only?.description : undefined);
}

/**
 * Lists the errors of a method.
 *
 * @param {any} method
 * @param {any} openrpc
 * @returns {string[]}
 */
export function errorTexts({ errors }, openrpc) {
  return errors.map(({ $ref }) => {
    const { code, message } = openrpc.components.errors[lastOf($ref)];
    return `${code} ${message}`;
  });
}

/**
 * Writes every object that has a name, with its fields.
 *
 * @param {any} openrpc
 * @returns {string} Markdown
 */
export function objects(openrpc) {
  return Object.entries(openrpc.components.schemas)
    .filter(([, schema]) => schema.properties !== undefined)
    .map(([name, schema]) => {
      const rows = Object.entries(schema.properties).map(([field, member]) => [
        `\`${field}\``,
        `${typeText(member, openrpc)}${isOptional(schema, field) ? ', optional' : ''}`,
        member.description ?? '',
      ]);
      return `### ${name}\n\n${table(['field', 'type', 'meaning'], rows)}`;
    })
    .join('\n\n');
}

function isOptional(schema, field) {
  return !(schema.required ?? []).includes(field);
}

function shapeDifferences(openrpc) {
  const rows = openrpc['x-shape-differences'].map(({ object, field, kind, reason }) => [
    openrpc.components.schemas[object] === undefined
      ? `\`${object}\``
      : `[${object}](#${object.toLowerCase()})`,
    `\`${field}\``,
    kind,
    reason,
  ]);
  return table(['object', 'field', 'difference', 'reason'], rows);
}

function notImplemented(openrpc) {
  const byReason = new Map();
  for (const [method, reason] of Object.entries(openrpc['x-not-implemented'])) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), `\`${method}\``]);
  }
  const rows = [...byReason].map(([reason, methods]) => [methods.join(', '), reason]);
  return table(['methods', 'reason'], rows);
}

/**
 * Describes a type in a few words; objects are links to their table.
 *
 * @param {any} schema
 * @param {any} openrpc
 * @returns {string} Markdown
 */
export function typeText(schema, openrpc) {
  if (schema.$ref !== undefined) return namedType(schema.$ref, openrpc);
  const alternatives = schema.anyOf ?? schema.oneOf;
  // The name of a type is more useful than its forms.
  if (schema.title !== undefined && schema.type !== 'array') return schema.title;
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeText(part, openrpc)).join(' and ');
  if (alternatives !== undefined) return alternatives.map((part) => typeText(part, openrpc)).join(' or ');
  if (schema.const !== undefined) return schema.const === '' ? 'an empty string' : String(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (schema.items?.not !== undefined) return 'empty array';
  if (schema.type === 'array') return `array of ${typeText(schema.items ?? {}, openrpc)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return { integer: 'JSON integer', undefined: 'any' }[schema.type] ?? schema.type;
}

function namedType(reference, openrpc) {
  const name = reference.slice(COMPONENTS.length);
  const schema = openrpc.components.schemas[name];
  return schema.properties === undefined
    ? (schema.title ?? name)
    : `[${schema.title ?? name}](#${name.toLowerCase()})`;
}

function lastOf(reference) {
  return reference.split('/').at(-1);
}

/**
 * Writes a table.
 *
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 * @returns {string} Markdown
 */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)]
    .map((text) => text.replaceAll('  |', ' |'))
    .join('\n');
}
