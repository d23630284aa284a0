/** ONNX files, written byte by byte: a model of a few operations needs no library. The numbers are those of onnx.proto. */

type Part = Buffer;

const wire = { varint: 0, bytes: 2 };

function varint(value: number): Buffer {
  const parts: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    parts.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Buffer.from(parts);
}

const number = (field: number, value: number): Part =>
  Buffer.concat([varint(field * 8 + wire.varint), varint(value)]);

function bytes(field: number, value: Buffer | string): Part {
  const content = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + wire.bytes), varint(content.length), content]);
}

const message = (field: number, ...parts: Part[]): Part => bytes(field, Buffer.concat(parts));

const elements = { float32: 1, int64: 7 } as const;
type Element = keyof typeof elements;

/** A matrix or a vector that is part of the file. */
export function constant(name: string, dims: readonly number[], values: readonly number[]): Part {
  return message(
    5,
    ...dims.map((dim) => number(1, dim)),
    number(2, elements.float32),
    bytes(8, name),
    bytes(9, Buffer.from(Float32Array.from(values).buffer)),
  );
}

export function node(
  operation: string,
  inputs: readonly string[],
  output: string,
  ...attributes: Part[]
): Part {
  return message(
    1,
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(3, output),
    bytes(4, operation),
    ...attributes,
  );
}

/** A list of whole numbers, or one, as an attribute of an operation. */
export const integers = (name: string, values: readonly number[]): Part =>
  message(5, bytes(1, name), ...values.map((value) => number(8, value)), number(20, 7));
export const integer = (name: string, value: number): Part =>
  message(5, bytes(1, name), number(3, value), number(20, 2));

const value = (field: number, name: string, element: Element, dims: readonly string[]): Part => {
  const shape = message(2, ...dims.map((dim) => message(1, bytes(2, dim))));
  return message(field, bytes(1, name), message(2, message(1, number(1, elements[element]), shape)));
};
export const input = (name: string, element: Element, dims: readonly string[]): Part =>
  value(11, name, element, dims);
export const output = (name: string, element: Element, dims: readonly string[]): Part =>
  value(12, name, element, dims);

export function onnxFile(...graph: Part[]): Buffer {
  const operations = message(8, bytes(1, ''), number(2, 17));
  return Buffer.concat([number(1, 8), message(7, ...graph, bytes(2, 'tiny')), operations]);
}
