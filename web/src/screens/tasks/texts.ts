import { catalogue } from "../../texts/texts.js";

const en = {};

const id: typeof en = {};

export const tasksTexts = catalogue({ en, id });
