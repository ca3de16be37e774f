/** The language of words in scripts that (almost) only one language has. */

const SCRIPTS: [script: RegExp, language: string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Lao}/u, "lo"],
  [/\p{Script=Khmer}/u, "km"],
  [/\p{Script=Myanmar}/u, "my"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Georgian}/u, "ka"],
  [/\p{Script=Armenian}/u, "hy"],
  [/\p{Script=Tamil}/u, "ta"],
  [/\p{Script=Telugu}/u, "te"],
  [/\p{Script=Kannada}/u, "kn"],
  [/\p{Script=Malayalam}/u, "ml"],
  [/\p{Script=Gujarati}/u, "gu"],
  [/\p{Script=Sinhala}/u, "si"],
];
const LOOKED_AT = 2000;

/** "" says that the language is not known: better than to be read out in a wrong one. */
export function languageOf(words: string[]): string {
  const text = words.slice(0, LOOKED_AT).join("");
  const letters = [...text].filter((each) => /\p{L}/u.test(each));
  const found = SCRIPTS.find(([script]) => {
    const share = letters.filter((each) => script.test(each)).length / Math.max(1, letters.length);
    return share > (script.source.includes("Hiragana") ? 0.1 : 0.5);
  });
  return found?.[1] ?? "";
}
