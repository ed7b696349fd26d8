// Stands in for the vendor's chat assistant, which the reference page would
// carry although it is off.
export const Chat = {};
