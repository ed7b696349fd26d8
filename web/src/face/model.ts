import { engine, keep, type NamedTensorMap, type Tensor, tensor, tidy } from "@tensorflow/tfjs-core";

/** A model as the converter of TensorFlow.js writes it: its graph, and where each weight is in one file of numbers. */
export interface ModelFile {
  readonly modelTopology: { readonly node: readonly GraphNode[] };
  readonly weightsManifest: readonly { readonly weights: readonly Weight[] }[];
}

/** One step. Each name of input is of an earlier one. */
interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: Readonly<Record<string, Attribute>>;
}

/** Texts are Base64. */
interface Attribute {
  readonly s?: string;
  readonly list?: { readonly s?: readonly string[]; readonly i?: readonly string[] };
}

interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: "float32" | "int32";
  /** Where it is kept as half as many bytes. */
  readonly quantization?: { readonly dtype: "float16" };
}

type Shape4 = [number, number, number, number];

/** A model of the few steps that finding faces takes. It needs a backend that has their kernels. */
export class Model {
  readonly #nodes: readonly GraphNode[];
  readonly #weights: ReadonlyMap<string, Tensor>;

  constructor(file: ModelFile, weights: ArrayBuffer) {
    this.#nodes = file.modelTopology.node;
    this.#weights = tensors(
      file.weightsManifest.flatMap((group) => group.weights),
      weights,
    );
  }

  /** The outputs of some steps, by name, for pixels of a square with a side. */
  run(pixels: Float32Array, side: number, names: readonly string[]): Float32Array[] {
    return tidy(() => {
      const done = new Map(this.#weights);
      for (const node of this.#nodes) {
        if (node.op === "Placeholder") done.set(node.name, tensor(pixels, [1, side, side, 3]));
        else if (node.op !== "Const") done.set(node.name, step(node, inputs(node, done)));
      }
      return names.map((name) => done.get(name)?.dataSync() as Float32Array);
    });
  }
}

function inputs(node: GraphNode, done: ReadonlyMap<string, Tensor>): Tensor[] {
  return (node.input ?? []).map((name) => {
    const found = done.get(name);
    if (!found) throw new Error(`${node.name}: no ${name}`);
    return found;
  });
}

/** Does one step. Throws Error for one that the models did not have when this was written. */
function step(node: GraphNode, [x, a, b, c]: readonly Tensor[]): Tensor {
  if (!x) throw new Error(`${node.name}: no input`);
  switch (node.op) {
    case "Identity":
      return x;
    case "AddV2":
      return kernel("Add", { a: x, b: a });
    case "Relu":
    case "Sigmoid":
      return kernel(node.op, { x });
    case "Prelu":
      return kernel("Prelu", { x, alpha: a });
    case "Reshape":
      return kernel("Reshape", { x }, { shape: numbers(a) });
    case "Pad":
      return kernel("PadV2", { x }, { paddings: pairs(numbers(a)), constantValue: 0 });
    case "MaxPool":
      return kernel("MaxPool", { x }, { filterSize: across(node, "ksize"), ...window(node) });
    case "DepthwiseConv2dNative":
      return kernel("DepthwiseConv2dNative", { x, filter: a }, { ...window(node), dilations: [1, 1] });
    case "_FusedConv2D":
      return kernel(
        "FusedConv2D",
        { x, filter: a, bias: b, preluActivationWeights: c },
        { ...window(node), dilations: [1, 1], dataFormat: "NHWC", activation: activation(node) },
      );
    default:
      throw new Error(`${node.name}: no step ${node.op}`);
  }
}

function kernel(name: string, given: Record<string, Tensor | undefined>, attributes: object = {}): Tensor {
  return engine().runKernel(name, given as NamedTensorMap, attributes as Record<string, never>) as Tensor;
}

/** How a window moves over pixels. */
function window(node: GraphNode): { strides: [number, number]; pad: string } {
  return { strides: across(node, "strides"), pad: atob(node.attr?.padding?.s ?? "").toLowerCase() };
}

/** Height and width of an attribute for samples, rows, columns and channels. */
function across(node: GraphNode, name: string): [number, number] {
  const [, height, width] = (node.attr?.[name]?.list?.i ?? []).map(Number) as Shape4;
  return [height, width];
}

/** What is done to the sums of a step. */
function activation(node: GraphNode): "linear" | "relu" | "prelu" {
  const after = (node.attr?.fused_ops?.list?.s ?? []).map(atob);
  return after.includes("Relu") ? "relu" : after.includes("Prelu") ? "prelu" : "linear";
}

function numbers(of: Tensor | undefined): number[] {
  return [...(of?.dataSync() ?? [])];
}

function pairs(of: readonly number[]): [number, number][] {
  return Array.from({ length: of.length / 2 }, (_, i): [number, number] => [of[2 * i] ?? 0, of[2 * i + 1] ?? 0]);
}

/** The weights of a model, by name. They stay until the worker ends. */
function tensors(weights: readonly Weight[], file: ArrayBuffer): Map<string, Tensor> {
  const out = new Map<string, Tensor>();
  let at = 0;
  for (const { name, shape, dtype, quantization } of weights) {
    const count = shape.reduce((product, n) => product * n, 1);
    const bytes = count * (quantization ? 2 : 4);
    const part = file.slice(at, at + bytes);
    at += bytes;
    const values = quantization ? halves(part) : dtype === "int32" ? new Int32Array(part) : new Float32Array(part);
    out.set(name, keep(tensor(values, [...shape], dtype)));
  }
  return out;
}

/** Numbers that are kept in 16 bits (IEEE 754): a sign, 5 bits of exponent, 10 of fraction. */
export function halves(of: ArrayBuffer): Float32Array {
  const from = new Uint16Array(of);
  const out = new Float32Array(from.length);
  const bits = new Uint32Array(out.buffer);
  for (let i = 0; i < from.length; i++) {
    const half = from[i] ?? 0;
    const [sign, rest] = [half & 0x8000, half & 0x7fff];
    if (rest >= 0x400) bits[i] = (sign << 16) | ((rest << 13) + (112 << 23));
    else out[i] = (sign ? -rest : rest) * 2 ** -24;
  }
  return out;
}
