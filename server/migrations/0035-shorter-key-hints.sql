-- Hints of keys of the operator's own making showed 12 characters, more than half of a short key; 4 tell keys apart.
-- Generated keys show 4 characters after their prefix already.
update api_keys set hint = left(hint, 4) || '…' where hint not like 'pr\_live\_%' and hint not like 'pr\_test\_%';
