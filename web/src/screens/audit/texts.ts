import { catalogue } from "../../texts/texts.js";

const en = {};

const id: typeof en = {};

export const auditTexts = catalogue({ en, id });
