import fc from 'fast-check';

/** A request of a random stream. */
export interface SentRequest {
  /** Decides if the response has a body. */
  readonly method: string;
  readonly bytes: string;
  /** The status by which it has to be refused; undefined for a request that HTTP allows. */
  readonly refusal: number | undefined;
  /** True if no response follows the one to this request. */
  readonly isLast: boolean;
}

/** Header fields of which both servers return the values. */
export const ECHOED_HEADERS = ['host', 'content-type', 'x-any', 'x-list'] as const;

/** Bytes of a head, and of a body, that the servers accept. */
export const HEAD_BYTES_MAX = 4_096;
export const BODY_BYTES_MAX = 2_000;

const text = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9 {}"]{0,40}$/) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: BODY_BYTES_MAX - 5 }).map((length) => '\n'.repeat(length)),
  },
  { weight: 1, arbitrary: fc.constantFrom('\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', '0\r\n\r\n') },
);
/** A body; the servers respond to one that begins with "later" in a later iteration of the event loop. */
const body = fc.tuple(fc.constantFrom('', 'later'), text).map(([prefix, rest]) => prefix + rest);

const extension = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(';a', ';a=b', ';a=b;c=d', ';a="b c"') },
);
const trailers = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('X-Trailer: a\r\n', 'X-One: 1\r\nX-Two:\r\n') },
);
const sizeOf = fc.constantFrom(
  (length: number) => length.toString(16),
  (length: number) => length.toString(16).toUpperCase(),
  (length: number) => `00${length.toString(16)}`,
);

/** Writes a body in chunks. */
const chunking = fc.record({ length: fc.integer({ min: 1, max: 30 }), extension, trailers, sizeOf });
const chunked = (content: string, form: typeof chunking extends fc.Arbitrary<infer Form> ? Form : never) => {
  const pieces = content.match(new RegExp(`[\\s\\S]{1,${form.length}}`, 'g')) ?? [];
  const chunks = pieces.map((piece) => `${form.sizeOf(piece.length)}${form.extension}\r\n${piece}\r\n`);
  return `${chunks.join('')}0${form.extension}\r\n${form.trailers}\r\n`;
};

const ordinaryField = fc.constantFrom(
  'Content-Type: application/json',
  'content-type:text/plain',
  'X-Any: thing',
  'X-Any:   spaces\t ',
  'x-any:',
  'X-Any: caf\u00e9',
  `X-Any: ${'x'.repeat(1_000)}`,
  'X-List: a',
  'X-List: b, c',
  'Connection: keep-alive',
  'Accept: */*',
  'Cookie: a=b; c=d',
  '!#$%&*+.^_`|~-: odd name',
);
const fields = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(ordinaryField, {
      maxLength: 4,
      selector: (field) => field.slice(0, 6).toLowerCase(),
    }),
  },
);
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/ethereum', '/a/b?x=1&y=2', '/?', 'http://localhost/abs?q=1', '//'),
  },
);
const method = fc.oneof(
  { weight: 4, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'M-SEARCH') },
);
/** The version, and a field that decides if the connection stays open. */
const persistence = fc.oneof(
  { weight: 30, arbitrary: fc.constant({ version: '1.1', field: '' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { version: '1.1', field: 'Connection: close' },
      { version: '1.1', field: 'connection: x, Close' },
      { version: '1.0', field: '' },
      { version: '1.0', field: 'Connection: Keep-Alive' },
    ),
  },
);

/** A request that HTTP allows. */
const validRequest = fc
  .record({
    method,
    target,
    persistence,
    fields,
    body,
    chunking: fc.option(chunking, { freq: 3 }),
    expects: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    start: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('\r\n') }),
  })
  .map((sent): SentRequest => {
    const isLatest = sent.persistence.version === '1.1';
    const isChunked = sent.chunking !== null && isLatest;
    const lines = [
      `${sent.start}${sent.method} ${sent.target} HTTP/${sent.persistence.version}`,
      'Host: localhost',
      ...sent.fields.filter((field) => isLatest || !field.startsWith('Connection')),
      sent.persistence.field,
      sent.expects && isLatest ? 'Expect: 100-continue' : '',
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${sent.body.length}`,
    ];
    const content = isChunked && sent.chunking !== null ? chunked(sent.body, sent.chunking) : sent.body;
    return {
      method: sent.method,
      bytes: `${lines.filter((line) => line !== '').join('\r\n')}\r\n\r\n${content}`,
      refusal: undefined,
      isLast: isLatest ? /close/i.test(sent.persistence.field) : sent.persistence.field === '',
    };
  });

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
const post = (...lines: string[]): string => `${HEAD}${lines.join('\r\n')}\r\n\r\n`;
const inChunks = (content: string): string => post('Transfer-Encoding: chunked') + content;

/**
 * Requests that have to be refused, with the status. Node's parser accepts some of them, depending on its version: a
 * line end without a carriage return, a folded line, two equal lengths or hosts, and codings other than chunked.
 */
const REFUSED: readonly (readonly [status: number, bytes: string])[] = [
  ...[
    'GARBAGE\r\n\r\n',
    'post / HTTP/1.1\r\nHost: a\r\n\r\n',
    'FROB / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /  HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1 \r\nHost: a\r\n\r\n',
    'GET /\r\nHost: a\r\n\r\n',
    'GET x HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.2\r\nHost: a\r\n\r\n',
    'GET / http/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\nHost: a\n\n\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0000\u00f8\r\n\r\n',
    ' GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    post('Content-Length: 0', 'Host: localhost'),
    post('Content-Length : 0'),
    post('no colon', 'Content-Length: 0'),
    post(': no name', 'Content-Length: 0'),
    post('X Y: z', 'Content-Length: 0'),
    post('X-Any: a\nX-Other: b', 'Content-Length: 0'),
    post('X-Any: a\rb', 'Content-Length: 0'),
    post('X-Any: a\u0000b', 'Content-Length: 0'),
    post('X-Any: a\u007fb', 'Content-Length: 0'),
    post('X-Any: a', ' folded', 'Content-Length: 0'),
    post('X-\u00e9: a', 'Content-Length: 0'),
    post('Content-Length: 1', 'Content-Length: 1'),
    post('Content-Length: 1', 'Content-Length: 2'),
    ...['', '+1', '-1', '0x1', '1,1', '1 1', '1.0', 'one'].map((value) => post(`Content-Length: ${value}`)),
    post('Content-Length: 3', 'Transfer-Encoding: chunked'),
    post('Transfer-Encoding: chunked', 'Content-Length: 3'),
    post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
    ...['', 'gzip', 'identity', 'gzip, chunked', 'chunked, gzip', 'xchunked', 'chunked;a=b'].map((value) =>
      post(`Transfer-Encoding: ${value}`),
    ),
    'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ...['x\r\n', '0x1\r\na\r\n', '-1\r\n', '+1\r\na\r\n', '\r\n', ' 1\r\na\r\n', '1\na\r\n'].map(inChunks),
    ...['1 \r\na\r\n', '1;\u0000\r\na\r\n', '1\r\nab\r\n', '1\r\na\n', '1\r\naxx', '1\r\na\r\r\n'].map(
      inChunks,
    ),
    ...['1;\r\na\r\n', '1;a="b\r\na\r\n', '1;a="b"c\r\na\r\n'].map((text) => inChunks(`${text}0\r\n\r\n`)),
    ...['0\r\nno colon\r\n\r\n', '0\r\n folded\r\n\r\n', '0\r\nX: a\n\r\n', '0\r\nX: a\u0000\r\n\r\n'].map(
      inChunks,
    ),
  ].map((bytes) => [400, bytes] as const),
  [431, post(`X-Any: ${'x'.repeat(HEAD_BYTES_MAX)}`)],
  [431, inChunks(`1;a=${'b'.repeat(2 * HEAD_BYTES_MAX)}\r\na\r\n`)],
  [431, inChunks(`0\r\nX: ${'b'.repeat(2 * HEAD_BYTES_MAX)}\r\n\r\n`)],
  [413, post(`Content-Length: ${BODY_BYTES_MAX + 1}`)],
  [413, post(`Content-Length: ${'9'.repeat(40)}`)],
  [413, inChunks(`${(BODY_BYTES_MAX + 1).toString(16)}\r\n${'x'.repeat(BODY_BYTES_MAX + 1)}\r\n`)],
  [413, inChunks(`${'f'.repeat(30)}\r\n${'x'.repeat(BODY_BYTES_MAX + 1)}`)],
];

const refusedRequest = fc
  .constantFrom(...REFUSED)
  .map(([refusal, bytes]): SentRequest => ({ method: 'POST', bytes, refusal, isLast: true }));

/** Requests of a stream, one of which may have to be refused. */
export const requestStreams = fc.array(
  fc.oneof({ weight: 12, arbitrary: validRequest }, { weight: 1, arbitrary: refusedRequest }),
  { minLength: 1, maxLength: 6 },
);

/** A change of one byte of a stream, by a share of its length. */
export const byteChanges = fc.record({
  at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
  removed: fc.integer({ min: 0, max: 2 }),
  added: fc.oneof(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      ' ',
      '\t',
      ':',
      ',',
      ';',
      '0',
      '1',
      'a',
      '\u0000',
      '\u00ff',
      '\u007f',
      '/',
    ),
    fc.constant(''),
  ),
});

/** Bytes of each segment, and the iterations of the event loop after it. */
export const segments = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat({ max: 3 })), {
  maxLength: 8,
});
