#include "scenario/offers.h"

#include <algorithm>

#include "scenario/codec.h"

namespace kvseats::scenario {

std::vector<Rented> rented_of(std::string_view gpus, std::string_view prices) {
  std::vector<Rented> out;
  if (gpus.empty()) return out;
  for (const std::string& slug : split_list(gpus)) {
    const std::size_t end = prices.find(',');
    out.push_back({slug, std::string(prices.substr(0, end))});
    prices = end == std::string_view::npos ? std::string_view{} : prices.substr(end + 1);
  }
  return out;
}

RentedText rented_text(const std::vector<Rented>& list) {
  RentedText out;
  bool any = false;
  for (const Rented& one : list) {
    const std::string_view comma = out.gpus.empty() ? "" : ",";
    out.gpus.append(comma).append(one.slug);
    out.prices.append(comma).append(one.price);
    any = any || !one.price.empty();
  }
  if (!any) out.prices.clear();
  return out;
}

Question offers_question(const Report& report, std::vector<Rented> beside) {
  Question question;
  question.target = "pareto";
  question.decoded = decode(report.query, Strictness::kLink);
  question.gpus.push_back(report.gpu.slug);
  const auto& own = report.scenario.price;
  question.prices.push_back(own ? own->text : "");
  for (Rented& one : beside) {
    question.gpus.push_back(std::move(one.slug));
    question.prices.push_back(std::move(one.price));
  }
  const bool all = std::none_of(question.prices.begin(), question.prices.end(),
                                [](const std::string& price) { return price.empty(); });
  if (!all) question.prices.clear();
  if (!all && question.gpus.size() > 1) question.decoded.scenario.price.reset();
  if (question.gpus.size() == 1) question.gpus.clear();  // as it is, whatever was changed on it
  return question;
}

}  // namespace kvseats::scenario
