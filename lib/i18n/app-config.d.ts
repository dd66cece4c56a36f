import type account from "../../messages/en/account.json";
import type billing from "../../messages/en/billing.json";
import type common from "../../messages/en/common.json";
import type docs from "../../messages/en/docs.json";
import type home from "../../messages/en/home.json";
import type hosts from "../../messages/en/hosts.json";
import type instances from "../../messages/en/instances.json";
import type keys from "../../messages/en/keys.json";
import type market from "../../messages/en/market.json";
import type operator from "../../messages/en/operator.json";
import type rent from "../../messages/en/rent.json";
import type shell from "../../messages/en/shell.json";
import type signIn from "../../messages/en/sign-in.json";
import type templates from "../../messages/en/templates.json";
import type { Locale } from "../contract/words";

declare module "next-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: {
      account: typeof account;
      billing: typeof billing;
      common: typeof common;
      docs: typeof docs;
      home: typeof home;
      hosts: typeof hosts;
      instances: typeof instances;
      keys: typeof keys;
      market: typeof market;
      operator: typeof operator;
      rent: typeof rent;
      shell: typeof shell;
      "sign-in": typeof signIn;
      templates: typeof templates;
    };
  }
}
