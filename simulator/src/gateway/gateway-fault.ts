/** A refusal in the gateway's form. */
export class GatewayFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly more: { readonly code?: string; readonly param?: string };

  constructor(status: number, type: string, sentence: string, more: GatewayFault['more'] = {}) {
    super(sentence);
    this.status = status;
    this.type = type;
    this.more = more;
  }

  /** The body of the answer. */
  get body(): unknown {
    return { error: { ...this.more, message: this.message, type: this.type } };
  }
}

/** The object that an id names does not exist. */
export function missing(kind: string, id: string): GatewayFault {
  return new GatewayFault(404, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  });
}
