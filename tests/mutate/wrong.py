"""Formulas that calculators and articles get wrong. Each is put in the place of ours, and the tests
must notice. `$ON` is true while the wrong one is switched on."""

from dataclasses import dataclass


@dataclass
class Formula:
    name: str
    path: str
    right: str
    wrong: str


FORMULAS = [
    Formula('latent counted twice, as if it were K and V', 'src/model/demand.cpp',
            'latent_bytes(*formats_.k, group_.k_dim, group_.latent_rank);',
            'units::times(latent_bytes(*formats_.k, group_.k_dim, group_.latent_rank), $ON ? 2 : 1);'),
    Formula('head dim from hidden / heads though the file says another', 'src/import/config_geometry.cpp',
            'g.k_dim = config.small("head dim", "head_dim kv_channels d_kv attention_head_dim");',
            'g.k_dim = $ON ? 0 : config.small("head dim", "head_dim kv_channels d_kv attention_head_dim");'),
    Formula('sliding windows ignored', 'src/model/demand.cpp',
            'add_heads(ComponentKind::kWindow, group_.window);',
            'add_heads(ComponentKind::kWindow, $ON ? kNoCap : group_.window);'),
    Formula('replicated heads divided by tensor parallelism', 'src/engine/split.cpp',
            'units::times(part.per_head_token, std::uint64_t{heads_on_gpu(part, tp)} * layers);',
            'units::times({part.per_head_token.num, part.per_head_token.den * ($ON ? tp : 1)}, '
            'std::uint64_t{$ON ? part.heads : heads_on_gpu(part, tp)} * layers);'),
    Formula('attention heads instead of KV heads', 'src/model/demand.cpp',
            'c.heads = group_.kv_heads;',
            'c.heads = $ON ? model_.attention_heads : group_.kv_heads;'),
    Formula('K alone, without V', 'src/model/format.cpp',
            'return units::add(with_scale(k, k_dim), v_bytes(v, v_dim));',
            'return $ON ? with_scale(k, k_dim) : units::add(with_scale(k, k_dim), v_bytes(v, v_dim));'),
    Formula('only active parameters are resident', 'src/model/weights.cpp',
            'if (experts.raw() == 0) return {{"Weights", m.params, format, false}};',
            'if ($ON) return {{"Weights", m.active, format, false}};\n'
            '  if (experts.raw() == 0) return {{"Weights", m.params, format, false}};'),
    Formula('blocks divided without rounding up', 'src/engine/cost.cpp',
            'return term.per == 1 ? kept : units::ceil_div(kept, term.per);',
            'return term.per == 1 || $ON ? kept / term.per : units::ceil_div(kept, term.per);'),
    Formula('a state for every layer of the model, not of its group', 'src/model/demand.cpp',
            'Component c = base(ComponentKind::kState, group_.layers);',
            'Component c = base(ComponentKind::kState, $ON ? model_.layers : group_.layers);'),
    Formula('more pipeline stages than layers divide a layer', 'src/engine/split.cpp',
            'const std::uint32_t rest = layers % pp;',
            'const std::uint32_t rest = $ON ? 0 : layers % pp;'),
]
