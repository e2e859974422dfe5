/** Runs steps on two nodes and lists the differences between their responses. */

/**
 * @typedef {import('./step.js').Step} Step
 * @typedef {import('./side.js').Outcome} Outcome
 * @typedef {{ path: string, ours: any, theirs: any }} Difference
 */

/** Greatest number of printed characters of a value. */
const SHOWN_CHARACTERS = 300;

/**
 * Lists the places at which the outcomes of a step differ. Errors differ as a whole.
 *
 * @param {Outcome} ours
 * @param {Outcome} theirs
 * @returns {Difference[]}
 */
export function differencesOf(ours, theirs) {
  if (ours.error === undefined && theirs.error === undefined) {
    return differentPlaces(inOrder(ours.result), inOrder(theirs.result), 'result');
  }
  if (ours.error === undefined || theirs.error === undefined) return [{ path: 'outcome', ours, theirs }];
  const isSame = differentPlaces(ours.error, theirs.error, '').length === 0;
  return isSame ? [] : [{ path: 'error', ours: ours.error, theirs: theirs.error }];
}

/**
 * @param {unknown} ours
 * @param {unknown} theirs
 * @param {string} path
 * @returns {Difference[]}
 */
function differentPlaces(ours, theirs, path) {
  if (!isObject(ours) || !isObject(theirs) || Array.isArray(ours) !== Array.isArray(theirs)) {
    return ours === theirs ? [] : [{ path, ours, theirs }];
  }
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return [...keys].flatMap((key) => differentPlaces(ours[key], theirs[key], `${path}.${key}`));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;

/** Sorts an access list, whose order means nothing. @param {any} result */
function inOrder(result) {
  if (!Array.isArray(result?.accessList)) return result;
  const sorted = result.accessList.map((/** @type {{ storageKeys: string[] }} */ entry) => ({
    ...entry,
    storageKeys: entry.storageKeys.toSorted(),
  }));
  const byAddress = sorted.toSorted((/** @type {any} */ one, /** @type {any} */ two) =>
    one.address < two.address ? -1 : 1,
  );
  return { ...result, accessList: byAddress };
}

/**
 * Describes an outcome of another kind than a step expects.
 *
 * @param {Step} step
 * @param {Outcome} outcome
 * @returns {string | undefined} undefined for the expected one
 */
export function unexpected({ fails, status }, { result, error }) {
  const isOfKind = (error !== undefined) === (fails === true);
  if (isOfKind && (status === undefined || result?.status === status)) return undefined;
  const expected = fails ? 'an error' : status === undefined ? 'a result' : `status ${status}`;
  return `expected ${expected}, got ${show(error ?? result)}`;
}

/** Names a step in reports. @param {Step} step */
export function nameOf({ method, params, tag }) {
  return `${method} ${show(params)}${tag === undefined ? '' : ` (${tag})`}`;
}

/** Writes a value, shortened. @param {unknown} value */
export function show(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
