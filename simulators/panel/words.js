// What the bench page says, in the language of the page that frames it (`?lang=`). English is what the
// code says; another language has it here. What it lacks is said in English.
"use strict";

/** @type {Record<string, string>} */
const CHINESE = {
  "Emulator panel": "模拟器操作台",
  "{name} · emulator panel": "{name} · 模拟器操作台",
  "Emulator, not a real device. All cards are shown.": "这是模拟器，并非真实设备。所有牌面均可见。",
  "Emulator not responding. This page shows its last state.": "模拟器没有应答。本页显示其最后的状态。",
  "State": "状态",
  "Robot dealer": "机器人荷官",
  "Let the robot play": "让机器人发牌",
  "Normal": "正常", "Fast": "快速", "With mistakes": "带失误", "Stop": "停止",
  "You have taken over. The robot has stopped.": "您已接手：机器人已退开。",
  "Robot stopped. The table is as it left it.": "机器人已停止。牌桌保持原样。",
  "The robot cannot continue. See the dealer's page.": "机器人无法继续。荷官页面说明牌桌在等待什么。",
  "Let a robot deal at your table.": "机器人可以在您的牌桌上发牌：按下按钮，看它进行。",
  "Robot dealing: {how}. Rounds: {n}": "机器人正在发牌：{how}。已完成 {n} 局",
  "The machine": "设备",
  "Draw next": "抽下一张",
  "Common faults": "常见故障",
  "Choose the card that is drawn": "选择要抽出的牌",
  "Draw this card": "抽出这张牌",
  "insert a card that is not in the shoe": "混入一张不在牌靴内的牌",
  "More actions": "其他操作",
  "A card every": "每张牌间隔", "s": "秒",
  "Start drawing": "开始抽牌", "Stop drawing": "停止抽牌",
  "Actions at the device": "对设备的操作",
  "The cable": "连接线",
  "Current state": "可见状态",
  "Forced exit": "FORCED EXIT 强制结束", "Clear error": "清除错误", "Two at once": "同时两张", "Excess card": "多抽一张",
  "Unreadable card": "无法读取的牌", "Foreign card": "外来牌",
  "Pull the cable": "拔出连接线", "Plug the cable in": "插回连接线", "Open the lid": "打开盖子", "Close the lid": "关上盖子",
  "cutting card": "切牌", "done": "完成",
  "cable in": "已连接", "cable out": "连接线已拔出", "unplugged": "已拔出", "hangs": "无反应",
  "silent behind the server": "连接存在但无数据", "error {n}": "错误 {n}", "locked": "已上锁", "jammed": "卡牌", "lid open": "盖子打开",
  "stand-by": "待机", "dealing": "发牌中", "result shown": "已显示结果", "burning": "烧牌中", "first card of a new shoe": "新牌靴的第一张牌",
  "{n} cards left": "剩余 {n} 张", "next: {cards}": "其后：{cards}", "the shoe is empty": "牌靴已空",
  "shoe with {n} cards": "牌靴，剩余 {n} 张", "the machine": "设备", "idle": "空闲",
  "Player": "闲", "Banker": "庄", "draw {card}": "抽 {card}", "{word}: {what}": "{word}：{what}",
  "phase": "阶段", "error": "错误", "key locked": "钥匙已锁", "next number": "下一编号", "events waiting": "等待中的事件", "true": "是",
  "false": "否",
  // words
  "draw": "抽牌", "draw two": "抽两张", "unreadable": "无法读取", "foreign": "外来牌", "half draw": "抽到一半", "push back": "推回",
  "jam": "卡牌", "lid": "盖子", "load": "装牌", "overdraw": "多抽", "burn": "烧牌", "key": "钥匙开关", "press": "按钮",
  "setting mode": "设定模式", "preset": "预设", "misjudge": "判错", "misplace": "放错", "restart": "重启", "lose": "丢失事件",
  "renumber": "改编号", "refuse": "拒绝", "ignore": "不回应", "hang": "无反应", "resume": "恢复", "unplug": "拔线", "plug": "插线",
  "silence": "静默", "cut": "断线", "drop": "丢字节", "double": "重复", "reorder": "乱序", "delay": "延迟", "flip": "翻转",
  "noise": "干扰",
  "draw a card": "抽一张牌", "draw two cards at once": "同时抽两张牌", "draw a card that cannot be read": "抽一张无法读取的牌",
  "draw a card of another set": "抽一张别组的牌", "draw the cutting card": "抽出切牌",
  "pull the next card part-way and hold it": "将下一张牌抽到一半并停住",
  "push a card back in": "将牌推回", "jam a card in the exit, or clear it": "在出口卡住一张牌，或清除",
  "open or close the lid": "打开或关上盖子",
  "put in a new shoe of cards": "装入新的一靴牌", "draw an excess card between rounds": "两局之间多抽一张牌",
  "begin to burn cards": "开始烧牌",
  "turn the key switch": "转动钥匙开关", "press a button": "按下按钮", "enter or leave setting mode": "进入或离开设定模式",
  "change a preset at the shoe": "更改牌靴的预设", "let the shoe tell the next round's winner wrongly": "让牌靴误报下一局的赢家",
  "let the shoe tell the next card for the other hand": "让牌靴把下一张牌报给另一手", "switch off and on": "关机再开机",
  "let events be lost with all their copies": "让事件连同副本全部丢失", "give the next event another number": "让下一事件带别的编号",
  "answer the next command with a refusal": "拒绝下一个命令", "leave commands unanswered": "不回应命令",
  "stop the device with its port open": "设备停止而端口仍开", "let a hung device go on": "让停住的设备恢复",
  "pull the cable: the host's port is gone": "拔出连接线：主机端口消失",
  "put the cable back; faults that waited are gone": "插回连接线；等待中的故障取消",
  "pull the cable behind the device server: the link stays, nothing comes": "拔出设备服务器后面的线：连接仍在，但无数据",
  "cut the cable after some bytes; plug puts in a new one": "若干字节后断线；插线即换新线", "lose bytes": "丢失字节",
  "let bytes arrive twice": "让字节到达两次",
  "let bytes overtake as many behind": "让字节超前", "let nothing arrive for a while": "一段时间内没有数据",
  "flip a bit of one byte": "翻转一个字节的一位",
  "from now on strike bytes by chance": "此后随机损坏字节",
  // refusals
  "the shoe is empty; load a new one": "牌靴已空，请装入新的一靴牌", "fewer than two cards are left in the shoe": "牌靴内不足两张牌",
  "a card is jammed in the exit; clear the jam first": "出口卡牌，请先清除", "the lid is open: the exit is barred": "盖子打开，出口被挡住",
  "a card is in the slot already": "槽内已有一张牌", "no card has been drawn that could be pushed back": "没有抽出的牌可以推回",
  "{n} events wait for the line; let time pass": "有 {n} 个事件等待发送，请稍候",
  "{n} faults wait on this line already": "此线上已有 {n} 个故障等待",
  "no {card} is left in the shoe; say extra=yes to slip one in": "牌靴内已没有 {card}；若要混入一张，请勾选“混入”",
  "a shoe holds 1 to {most} decks, not {n}": "一靴可装 1 至 {most} 副牌，不能装 {n} 副",
  "a shoe holds at most {most} cards, not {n}": "一靴最多 {most} 张牌，不能装 {n} 张",
  "the round is not complete: the next card belongs to it": "本局尚未完成：下一张牌属于本局",
  "cards are burned between rounds only; now: {phase}": "只能在两局之间烧牌；现在：{phase}",
  "there is no error that clearing ends": "没有可清除的错误", "there is no extra card to keep": "没有多出的牌可保留",
  "there is no extra card to discard": "没有多出的牌可弃",
  "{name} is {value}, but it may be yes or no": "{name} 为 {value}，只能是“是”或“否”",
  "{name} is {value}, but it takes a whole number": "{name} 为 {value}，须为整数",
  "{name} is {value}, but it may be {least} to {most}": "{name} 为 {value}，须在 {least} 至 {most} 之间",
  "{name} is {value}, but it takes seconds": "{name} 为 {value}，须为秒数",
  "{name} is {value}, but it may be 0 to {most} seconds": "{name} 为 {value}，须在 0 至 {most} 秒之间",
  "{name} is {value}, but it may be {may}": "{name} 为 {value}，只能是 {may}",
  "{name} is {value}, but it takes {count} characters": "{name} 为 {value}，须为 {count} 个字符",
  "{name} is {value}, but it takes two hex digits": "{name} 为 {value}，须为两位十六进制数",
  "{text} is not a card: write rank (A 2-9 T J Q K) and suit (S H D C)": "{text} 不是一张牌：请写点数（A 2-9 T J Q K）和花色（S H D C）",
  "there is no word {word}. There are: {may}": "没有 {word} 这一操作。可用的有：{may}",
  "{word} does not take {names}; it takes {may}": "{word} 不接受 {names}；接受 {may}",
  "{word} takes {names} too": "{word} 还需要：{names}", "nothing": "无",
  "the device does not hang": "设备并未停住", "the cable is out already": "连接线已经拔出", "the cable is in already": "连接线已经插好",
  "too many words at once; try again": "同时操作过多，请重试", "the emulator is stopping": "模拟器正在停止",
  "no robot sits here: start with --table": "这里没有机器人", "this door is for this machine only": "只允许本机访问",
  // fields and what they take
  "address": "地址", "after": "之后", "bit": "位", "button": "按钮", "card": "牌", "code": "代码", "count": "数量", "counter": "计数",
  "deck": "牌序",
  "extra": "额外", "line": "方向", "number": "编号", "on": "开", "open": "打开", "percent": "百分比", "read": "读取", "seconds": "秒数",
  "seed": "种子",
  "value": "值", "where": "位置", "winner": "赢家",
  "banker": "庄", "player": "闲", "tie": "和", "both": "两张", "first": "第一张", "none": "无", "clear": "清除", "discard": "弃牌",
  "keep": "保留",
  "kept": "保留", "forced_exit": "FORCED EXIT", "result": "结果", "exit": "出口", "midway": "中途", "in": "进", "out": "出",
  "no": "否", "yes": "是", "reset": "重置",
};

const isChinese = (new URLSearchParams(location.search).get("lang") ?? "").startsWith("zh");
if (isChinese) document.documentElement.lang = "zh-Hans";

/** @param {string} text @param {Record<string, string | number>} [values] */
function say(text, values = {}) {
  const said = isChinese ? (CHINESE[text] ?? text) : text;
  return said.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}

// What stands on the page from the beginning.
function translated() {
  if (!isChinese) return;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.nodeValue ?? "").trim().replace(/\s+/g, " ");
    if (text) node.nodeValue = ` ${say(text)}`;
  }
  for (const each of document.querySelectorAll("[aria-label]")) {
    each.setAttribute("aria-label",
      say(each.getAttribute("aria-label") ?? ""));
  }
}
document.addEventListener("DOMContentLoaded", translated);
