/** `fs/read_text_file` and `fs/write_text_file`. Source: ACP v1, File system. */
import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, type Json, type JsonObject, ResponseError } from '../wire/index.ts';
import { confinedPath } from './confined-path.ts';
import { optionalCount, text } from './params.ts';

/** Lines come with their line ends, so that the parts of a file add up to the whole. */
export const readTextFile = async (params: JsonObject, roots: readonly string[]): Promise<Json> => {
  const [line, limit] = [optionalCount(params, 'line'), optionalCount(params, 'limit')];
  const path = await confinedPath('path', text(params, 'path'), roots);
  await checkFile(path);
  const bytes = await readFile(path).catch(error => refuse(error, path));
  if (!isUtf8(bytes)) throw new ResponseError(errorCode.invalidParams, `the file is not UTF-8 text: ${path}`);
  return { content: linesOf(bytes.toString('utf8'), line, limit) };
};

/** Makes missing folders on the way. */
export const writeTextFile = async (params: JsonObject, roots: readonly string[]): Promise<Json> => {
  const content = text(params, 'content');
  const path = await confinedPath('path', text(params, 'path'), roots);
  await checkFile(path);
  await mkdir(dirname(path), { recursive: true }).catch(error => refuse(error, path));
  await writeFile(path, content).catch(error => refuse(error, path));
  return {};
};

/** Far more than a model reads, and half of what a line may hold. */
const mostBytes = 32 * 1024 * 1024;

/** Refuses what is no file, a pipe that would never end above all, and what is too large for a frame. */
const checkFile = async (path: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isFile()) throw noFile(path);
  if (stats.size <= mostBytes) return;
  throw new ResponseError(errorCode.invalidParams, `the file is larger than ${mostBytes} bytes: ${path}`);
};

const noFile = (path: string): ResponseError =>
  new ResponseError(errorCode.invalidParams, `there is no file but something else at ${path}`);

/** `limit` lines from the 1-based `first` on. The schema admits line 0, which can only mean the first. */
const linesOf = (content: string, first = 1, limit = Number.POSITIVE_INFINITY): string => {
  const start = endOfLines(content, 0, Math.max(first, 1) - 1);
  return content.slice(start, endOfLines(content, start, limit));
};

/** Where `count` lines end that begin at `start`. */
const endOfLines = (content: string, start: number, count: number): number => {
  let end = start;
  for (let seen = 0; seen < count; seen++) {
    const lineFeed = content.indexOf('\n', end);
    if (lineFeed === -1) return content.length;
    end = lineFeed + 1;
  }
  return end;
};

const refuse = ({ code }: NodeJS.ErrnoException, path: string): never => {
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new ResponseError(errorCode.resourceNotFound, `there is no file at ${path}`);
  }
  if (code === 'EISDIR' || code === 'EEXIST') throw noFile(path);
  throw new ResponseError(errorCode.internalError, `the file system refuses ${path}: ${code}`);
};
