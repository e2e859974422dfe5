import type { Dispatcher } from '../rpc/index.ts';

/** Told of a call that was answered by an error: its method, and the message that the caller got. */
export type FailedCallListener = (method: string, message: string) => void;

/** What every response with an error contains; a response may contain it by chance. */
const ERROR_MARK = '"error":{"code":';

/** Name in the log for what is no call of a method, or of one that cannot be told. */
const NO_METHOD = 'request';

/**
 * Watches the responses of a dispatcher for errors.
 *
 * Only a response that may hold an error is parsed again, so that successful calls cost no more than a search
 * in their text. In a batch, a response belongs to the first request with its id.
 */
export function watchFailedCalls(dispatcher: Dispatcher, onFailedCall: FailedCallListener): Dispatcher {
  return {
    handle: (body) => {
      const watch = (response: string | undefined): string | undefined => {
        if (response?.includes(ERROR_MARK)) reportFailures(body, response, onFailedCall);
        return response;
      };
      const response = dispatcher.handle(body);
      return response instanceof Promise ? response.then(watch) : watch(response);
    },
  };
}

function reportFailures(body: Uint8Array | string, response: string, onFailedCall: FailedCallListener): void {
  const failures = listOf(JSON.parse(response)).flatMap(failureIn);
  if (failures.length === 0) return;
  const requests = parsedRequests(body);
  for (const { id, message } of failures) {
    const method = requests.find((request) => memberOf(request, 'id') === id && id !== null);
    onFailedCall(textOf(memberOf(method, 'method')) ?? NO_METHOD, message);
  }
}

/** The body's requests; none where it is not JSON, which the response says already. */
function parsedRequests(body: Uint8Array | string): readonly unknown[] {
  try {
    return listOf(JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)));
  } catch {
    return [];
  }
}

function failureIn(response: unknown): { id: unknown; message: string }[] {
  const message = textOf(memberOf(memberOf(response, 'error'), 'message'));
  return message === undefined ? [] : [{ id: memberOf(response, 'id'), message }];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
