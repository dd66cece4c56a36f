/** Text in which backticks mark code, as the contract's descriptions write it. */
export function Prose({ children }: { children: string }) {
  return [...children.matchAll(/`([^`]+)`|[^`]+/g)].map(({ 0: text, 1: code, index }) =>
    code ? (
      <code key={index} className="font-mono text-[0.9em]">
        {code}
      </code>
    ) : (
      text
    ),
  );
}
