/** What is kept of a command's output: its end, at most so many bytes of UTF-8, beginning with a whole character. */
export interface OutputTail {
  add(text: string): void;
  read(): { readonly output: string; readonly truncated: boolean };
}

/** Trimming waits until this many bytes too much are held, so that each byte is copied a bounded number of times. */
const slack = 64 * 1024;

export const createOutputTail = (limit: number): OutputTail => {
  let parts: Buffer[] = [];
  let size = 0;
  let truncated = false;

  const trim = (): Buffer => {
    const whole = Buffer.concat(parts, size);
    let start = Math.max(0, whole.length - limit);
    while (start > 0 && start < whole.length && isContinuation(whole[start]!)) start++;
    truncated ||= start > 0;
    const tail = whole.subarray(start);
    parts = [tail];
    size = tail.length;
    return tail;
  };

  return {
    add(text) {
      const bytes = Buffer.from(text, 'utf8');
      parts.push(bytes);
      size += bytes.length;
      if (size > 2 * limit + slack) trim();
    },
    read() {
      const output = trim().toString('utf8');
      return { output, truncated };
    },
  };
};

/** A byte within a UTF-8 sequence. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
