/** ISO 3166-1 alpha-2 codes by continent, as the UN's M49 groups them (Cyprus with its union, Taiwan in Asia). */
const CODES: Record<string, string> = {
  Africa:
    "DZ AO BJ BW BF BI CM CV CF TD KM CG CD CI DJ EG GQ ER ET GA GM GH GN GW KE LS LR LY MG MW ML MR MU YT MA MZ NA NE NG RE RW SH ST SN SC SL SO ZA SS SD SZ TZ TG TN UG EH ZM ZW",
  Asia: "AF AM AZ BH BD BT BN KH CN GE HK IN ID IR IQ IL JP JO KZ KW KG LA LB MO MY MV MN MM NP KP OM PK PS PH QA SA SG KR LK SY TW TJ TH TL TR TM AE UZ VN YE",
  Europe:
    "AX AL AD AT BY BE BA BG HR CY CZ DK EE FO FI FR DE GI GR GG HU IS IE IM IT JE XK LV LI LT LU MT MD MC ME NL MK NO PL PT RO RU SM RS SK SI ES SJ SE CH UA GB VA",
  "North America":
    "AI AG AW BS BB BZ BM BQ VG CA KY CR CU CW DM DO SV GL GD GP GT HT HN JM MQ MX MS NI PA PR BL KN LC MF PM VC SX TT TC US VI",
  "South America": "AR BO BR CL CO EC FK GF GY PY PE SR UY VE",
  Oceania: "AS AU CK FJ PF GU KI MH FM NR NC NZ NU NF MP PW PG PN WS SB TK TO TV UM VU WF",
};

const SHORTER_NAMES: Record<string, string> = { HK: "Hong Kong", MO: "Macao", CZ: "Czech Republic" };

const regionByCode = new Map(
  Object.entries(CODES).flatMap(([region, codes]) => codes.split(" ").map((code) => [code, region] as const)),
);
const englishNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** The English name and continent of an ISO 3166-1 alpha-2 code in any case, or null for what is not one. */
export function findCountry(code: string): { country: string; region: string } | null {
  const upper = code.trim().toUpperCase();
  const region = regionByCode.get(upper);
  const country = SHORTER_NAMES[upper] ?? (region && englishNames.of(upper));
  return region && country ? { country, region } : null;
}
