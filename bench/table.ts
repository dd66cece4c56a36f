/** What one part measured, as it is printed and kept. */
export interface Table {
  title: string;
  /** The first column is of words, the others of figures. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** A sentence each. */
  notes: readonly string[];
}

/** As text in columns. */
export function printTable({ title, columns, rows, notes }: Table): string {
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return `\n${[title, line(columns), ...rows.map(line), ...notes].join("\n")}\n`;
}

/** As a section of Markdown. */
export function writeTable({ title, columns, rows, notes }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = columns.map((_, i) => (i === 0 ? "---" : "---:"));
  const table = [line(columns), line(rule), ...rows.map(line)].join("\n");
  return [`## ${title}`, table, ...notes].join("\n\n");
}

/** Milliseconds with three digits that count. */
export function showMs(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(3);
}

export function showSeconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

export function showMegabytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}

export function showCount(count: number): string {
  return Math.round(count).toLocaleString("en");
}

/** How many times another figure a figure is. */
export function showRatio(figure: number, of: number): string {
  const ratio = figure / of;
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2);
}
