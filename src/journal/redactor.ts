export interface Secret {
  readonly name: string;
  readonly value: string;
}
export interface Redactor {
  readonly text: (text: string) => string;
}
export const createRedactor = (_secrets: readonly Secret[]): Redactor => ({ text: text => text });
