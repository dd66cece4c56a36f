/** Whether a text may be `ssh_username`: a portable POSIX user name of at most 32 characters, not all digits. */
export function isSshUsername(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9._-]{0,31}$/.test(name);
}

/** Whether a text may be `jupyter_directory`: an absolute path of at most 4096 bytes without control characters. */
export function isContainerPath(path: string): boolean {
  return path.startsWith("/") && Buffer.byteLength(path) <= 4096 && !/\p{Cc}|\p{Cs}/u.test(path);
}

/** Whether a text may be `href` or `picture`: an https address of at most 2048 characters, without a user or password. */
export function isHttpsUrl(text: string): boolean {
  if (text.length > 2048 || !/^https:\/\/[^\s\p{C}/\\][^\s\p{C}]*$/iu.test(text) || !URL.canParse(text))
    return false;
  const url = new URL(text);
  return url.protocol === "https:" && url.hostname !== "" && url.username === "" && url.password === "";
}
