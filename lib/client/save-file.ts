/** Hands a file to the visitor's own disk. */
export function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
