/** What is wrong with a line; whoever reads the file adds its name and the number of the line. No full stop. */
export class Wrong extends Error {}
