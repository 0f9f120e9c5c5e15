#ifndef KVSEATS_CAPI_CAPI_H_
#define KVSEATS_CAPI_CAPI_H_

#include <stddef.h>

/// The C face: everything a page or a script asks of the core goes through one call, text in and
/// JSON out. Three modules are linked from it, all with `malloc`, `free` and the three functions of
/// texts: the page's program; the reader of files (`kvseats_import`) and that of logs
/// (`kvseats_check`), each fetched when the first of them comes. The page's program travels in
/// parts, cut by cmake/split_wasm.py: the small one, where all but `kvseats_call` work; the rest,
/// which has the rules of every engine but `hand`; and the canvas (host/web/exports.h), which works
/// on both.
///
///     KvSeats* kv = kvseats_open(catalogue, size);           // once; parses the catalogue
///     KvSeatsText* t = kvseats_call(kv, "evaluate\nmodel=llama-3.1-8b&gpu=h100-sxm", 48);
///     fwrite(kvseats_text(t), 1, kvseats_size(t), stdout);   // not zero-terminated text
///     kvseats_free(t);
///     kvseats_close(kv);
///
/// A request is one line `operation key=value key=value` (values percent-encoded as in links), a
/// line feed, and a payload. The answer is one JSON object in UTF-8, without line breaks outside of
/// strings.
///
/// Where `unit` is not given, the query's own key `unit` counts, else GiB.
///
/// operation  payload     options                    answer
/// ---------  ----------  -------------------------  ---------------------------------------------
/// evaluate   query       strict=1 (as the command   the contract's object
///                        line reads; else as links
///                        are read)
/// first      query       unit=GiB|GB                what of `page` is words: see kvseats_first
/// page       query       unit=GiB|GB, width,        {"ok","link","page","report","share",
///                        height, text_scale,        "sentence","figures","notes","lever","pins",
///                        charts=tradeoff,memory,    "resolved","tables","charts"}: all that a
///                        theme=auto|light|dark      page shows, from one evaluation
/// fields     query       –                          {"fields":[…]} of that query's engine
/// edit       query       key, value, index; an      {"ok","link","diagnostics"}; on failure `link`
///                        empty value unsets         is the payload's, unchanged in meaning
/// choices    –           what=menu                  names and headings only,
///                                                   {"models":[…],"gpus":[…]}
/// choices    –           what=models|gpus,          {"rows":[{"slug","name","group","id"}],
///                        find=text                  "taken"}: what a search selects, best first;
///                                                   what the whole text (an id that somebody
///                                                   pastes) is taken for, if anything:
///                                                   {"slug","name","exact","note"}
/// list       –           what=models|gpus|engines|  {"rows":[{…}]}
///                        formats|keys|services
/// byhand     query       notation=text|markdown|    {"ok","steps":[{"id","title","lines":[{"id",
///                        latex, unit=GiB|GB         "label","how","relation","value","size",
///                                                   "range","source","part","written"}]}],"text"}:
///                                                   the ledger as arithmetic; `relation` is `=`,
///                                                   `≈`,
///                                                   `:` (how in words) or empty (an input)
/// compare    queries,    models=a,b,c, unit,        {"sentence","scenarios":[{"name","query",
///            one a line, width, height, theme       "kind","current",…}],"rows":[{"id","label",
///            the current                            "differs","input","values"}],"diagnostics",
///            one first                              "charts":{"tokens","curves"}} (as of svg)
/// markdown   query       –                          {"ok","text"}: all of the answer as Markdown
/// svg        query       chart, width, height,      {"svg","text","table"}; "csv" too: every point
///                        theme, ground=1, caption=1
///                        link, csv=1
/// solve      query       for=context|users|gpus|    what `kvseats solve --json` prints
///                        lever|offload
/// offers     query       width, height, theme …     {"sentence","beside":[{"slug","price",
///                        (of the chart)             "name"}],"offers":[{"sentence","query"}],
///                                                   "chart","diagnostics"}: `for=pareto` of
///                                                   this accelerator and of those that the
///                                                   page keys `gpus` and `prices` name
/// rent       query       slug; price, leave=1       {"link"}: with that accelerator in `gpus` at
///                                                   this price, or without it
/// sweep      query       columns                    {"rows":[{…}]}; the query's values may be
/// lists
///                                                   and ranges
/// report     query       format=html|markdown    {"ok","text"}: what `kvseats report` prints
/// lengths    text        column, or prompt and  what `kvseats lengths --json` prints, of a list or
///                        output; name, users;   CSV of real lengths; with charts=1 "charts" too,
///                        charts=1               a picture of each part
///
/// Failure: never by crash or by a null pointer. An unknown operation, a bad option or an
/// unreadable catalogue answers {"error":{"code","severity","where","text","remedy"}}. Bad input in
/// a query is part of the report (`diagnostics`), and "does not fit" is an answer.
///
/// Ownership: what `kvseats_open` gives belongs to the caller until `kvseats_close`; every text
/// belongs to the caller until `kvseats_free`, independent of the KvSeats it came from and of later
/// calls. Request bytes are borrowed for the time of the call.
/// One KvSeats is immutable after it was opened: calls may come in any order.
#ifdef __cplusplus
extern "C" {
#endif

typedef struct KvSeats KvSeats;
typedef struct KvSeatsText KvSeatsText;

/// Parses the catalogue's bytes (copied). Never null: with unreadable bytes every call answers with
/// the reason.
KvSeats* kvseats_open(const char* catalogue, size_t size);
void kvseats_close(KvSeats* kv);

/// The answer in words, for the first paint, and what a form needs beside it. Answers `edit` and
/// `choices` as `kvseats_call` does; `first` and `fields` too, but for any engine but `hand`, and
/// for services whose lengths are distributions: {"error"} with the code `E-EARLY`, as for every
/// other operation. `first` answers
/// {"ok","link","page","report","sentence","figures","notes","lever", "resolved"} as `page` does,
/// where `report` has only {"query","pinned_query","diagnostics"}. Never null.
KvSeatsText* kvseats_first(const KvSeats* kv, const char* request, size_t size);

/// A simulation of traffic, a few steps at a time: a request line `simulate seed=1 minutes=60
/// speed=30` (each may be left out, or be among the query's keys), a line feed, a query. Never
/// null; bad input is in the answer's `diagnostics`. Ends with `kvseats_run_close`, whenever the
/// caller has had enough. Independent of the KvSeats once it was begun.
///
///     KvSeatsRun* run = kvseats_run(kv, "simulate minutes=10\nrate=3", 27);
///     while (kvseats_run_step(run, 20000) < 1) {}             // show progress, look after others
///     KvSeatsText* t = kvseats_run_call(run, "json indent=2", 13);
typedef struct KvSeatsRun KvSeatsRun;
KvSeatsRun* kvseats_run(const KvSeats* kv, const char* request, size_t size);

/// At most so many steps of the engine; the share that is done, 1 at the end.
double kvseats_run_step(KvSeatsRun* run, unsigned steps);

/// `json indent=0|2`: what `kvseats simulate --json` prints. `svg chart=running|overflow width
/// height theme …`: {"svg","text","table"}. `words`: sentences and tables for reading. Never null.
KvSeatsText* kvseats_run_call(const KvSeatsRun* run, const char* request, size_t size);
void kvseats_run_close(KvSeatsRun* run);

/// Answers one request; never null.
KvSeatsText* kvseats_call(const KvSeats* kv, const char* request, size_t size);

/// Reads a model's files: a request line, a line feed, the first bytes of the files. Needs no
/// catalogue; never null.
///
///     import name=model.gguf size=42520000000 link=engine%3Dvllm
///     <the first 65,536 bytes of the file>
///
/// option  meaning                                                               default
/// ------  --------------------------------------------------------------------  ----------------
/// name    the file's name                                                       –
/// size    bytes of the whole file; the payload may be only its beginning        of the payload
/// link    the link that the model goes into                                     –
/// head    several files: how many bytes of the payload belong to each, in       one file
///         order, with commas; then `name` has | between names and `size`
///         commas: `name=config.json|model.safetensors head=700,65536
///         size=700,5000000000`. Files of one model: a split GGUF's parts, a
///         config with its checkpoint
///
/// Answers {"ok","link","need","file","draft","diagnostics"}:
/// - `ok` with `draft` (scenario/attach.h: what was read, derived, missing; layer groups and their
///   order for a strip; weights) and the link that has the model in it;
/// - not `ok` and `need` N: nothing is known yet; send the first N bytes of file number `file`
///   (from 0; all of the others again) and ask once more. Ends within a few rounds and, for a GGUF,
///   a few hundred KB; a safetensors file says exactly what it needs;
/// - `ok` and `need` N: the model is known, its weights are worked out from the file's size; the
///   first N bytes would make them exact (for a GGUF the header's end, about ten MB);
/// - not `ok` and no `need`: `diagnostics` say why, and the link is as it was.
KvSeatsText* kvseats_import(const char* request, size_t size);

/// Reads an engine's log or command line: a request line `check keys=…` (a query of keys beside the
/// log, which win over it), a line feed, the text. Answers what `kvseats check --json` prints;
/// never null. The text is kept nowhere. In a module of its own, fetched when the first log comes.
KvSeatsText* kvseats_check(const KvSeats* kv, const char* request, size_t size);

const char* kvseats_text(const KvSeatsText* text);
size_t kvseats_size(const KvSeatsText* text);
void kvseats_free(KvSeatsText* text);

#ifdef __cplusplus
}
#endif

#endif  // KVSEATS_CAPI_CAPI_H_
