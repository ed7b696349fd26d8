import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm/dist/base.js";
import { addConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/Add.js";
import { depthwiseConv2dNativeConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/DepthwiseConv2dNative.js";
import { fusedConv2DConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/FusedConv2D.js";
import { maxPoolConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/MaxPool.js";
import { padV2Config } from "@tensorflow/tfjs-backend-wasm/dist/kernels/PadV2.js";
import { preluConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/Prelu.js";
import { reluConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/Relu.js";
import { reshapeConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/Reshape.js";
import { sigmoidConfig } from "@tensorflow/tfjs-backend-wasm/dist/kernels/Sigmoid.js";
import wasm from "@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { registerKernel, setBackend } from "@tensorflow/tfjs-core";
// The package exports no models by name.
import detectorWeights from "../../node_modules/@vladmandic/human/models/blazeface.bin?url";
import detector from "../../node_modules/@vladmandic/human/models/blazeface.json?url";
import meshWeights from "../../node_modules/@vladmandic/human/models/facemesh.bin?url";
import mesh from "../../node_modules/@vladmandic/human/models/facemesh.json?url";
import { Finder } from "./finder.js";
import { Model, type ModelFile } from "./model.js";

type Files = [graph: ModelFile, weights: ArrayBuffer];

/** What the two models compute with. */
const kernels = [
  addConfig,
  depthwiseConv2dNativeConfig,
  fusedConv2DConfig,
  maxPoolConfig,
  padV2Config,
  preluConfig,
  reluConfig,
  reshapeConfig,
  sigmoidConfig,
];

/** Loads what finds faces. Rejects where a file does not come. */
export async function loadFinder(): Promise<Finder> {
  const models = Promise.all([model(detector, detectorWeights), model(mesh, meshWeights)]);
  models.catch(() => {}); // it is awaited below
  setWasmPaths({
    "tfjs-backend-wasm.wasm": wasm,
    "tfjs-backend-wasm-simd.wasm": wasm,
    "tfjs-backend-wasm-threaded-simd.wasm": wasm,
  });
  for (const kernel of kernels) registerKernel(kernel);
  if (!(await setBackend("wasm"))) throw new Error("no WebAssembly");
  const [first, second] = await models;
  return new Finder(new Model(...first), new Model(...second));
}

/** The files of a model: its graph and its weights. */
async function model(graph: string, weights: string): Promise<Files> {
  const [a, b] = await Promise.all([file(graph), file(weights)]);
  return [await a.json(), await b.arrayBuffer()];
}

async function file(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
