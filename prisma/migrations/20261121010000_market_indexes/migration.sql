-- For the search: its default order, and places ignoring case (docs/adr/0004).
CREATE INDEX "offer_by_price" ON "offer" ("price_micro", "id") WHERE "listed";
CREATE INDEX "offer_by_city" ON "offer" (lower("city"));
CREATE INDEX "offer_by_country" ON "offer" (lower("country"));
CREATE INDEX "offer_by_region" ON "offer" (lower("region"));
