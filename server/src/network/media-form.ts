/** The bytes before the content of an upload: the fields, and the head of the file part. */
export function formHead(
  boundary: string,
  file: { readonly mimeType: string; readonly filename: string | null },
): Buffer {
  const name = quotable(file.filename ?? 'file');
  const type = file.mimeType.replace(/[^\x20-\x7e]/g, '');
  return Buffer.from(
    field(boundary, 'messaging_product', 'whatsapp') + field(boundary, 'type', type) + fileHead(boundary, name, type),
  );
}

export function formTail(boundary: string): Buffer {
  return Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** A file that fits into memory, with the fields beside it. */
export interface FormFile {
  readonly fields: Readonly<Record<string, string>>;
  readonly filename: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A whole form with its content type. */
export function wholeForm({ fields, filename, mimeType, bytes }: FormFile): {
  readonly type: string;
  readonly body: Buffer;
} {
  const boundary = `postrider-${crypto.randomUUID()}`;
  const before = Object.entries(fields).map(([name, value]) => field(boundary, name, value));
  const head = before.join('') + fileHead(boundary, quotable(filename), mimeType);
  const body = Buffer.concat([Buffer.from(head), bytes, formTail(boundary)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

function fileHead(boundary: string, name: string, type: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
}

function field(boundary: string, name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

/** The escapes that browsers use in such a name (HTML standard, "multipart/form-data"). */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
